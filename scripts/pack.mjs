// `npm run pack`: a tarball of every package in dist/packages, and how to install them elsewhere.
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { inRoot } from "./root.mjs";
import { captureNpm } from "./run.mjs";
import { prepareCli, stop } from "./setup.mjs";

/** Pack every package; answers the path of each tarball by the package's name. */
export async function packAll(destination) {
  rmSync(destination, { recursive: true, force: true });
  mkdirSync(destination, { recursive: true });
  const folders = readdirSync(inRoot("packages"));
  const workspaces = folders.flatMap((folder) => ["--workspace", `packages/${folder}`]);
  const { code, output } = await captureNpm(["pack", "--pack-destination", destination, ...workspaces]);
  if (code !== 0) throw new Error(`npm pack failed:\n${output}`);
  return Object.fromEntries(folders.map((folder) => tarballOf(folder, destination)));
}

function tarballOf(folder, destination) {
  const { name, version } = JSON.parse(readFileSync(inRoot("packages", folder, "package.json"), "utf8"));
  return [name, join(destination, `${name.slice(1).replace("/", "-")}-${version}.tgz`)];
}

if (process.argv[1] === import.meta.filename) {
  await prepareCli();
  console.error("Packing …");
  const tarballs = await packAll(inRoot("dist/packages")).catch(({ message }) => stop(message));
  const of = (...folders) => folders.map((folder) => tarballs[`@sandbox-agent-ts/${folder}`]).join(" ");
  console.log(`In your own project:

  npm install ${of("protocol", "sdk", "cli")}

The command alone:

  npm install --global ${of("cli")}`);
}
