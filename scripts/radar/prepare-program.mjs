import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheDirectory } from "../cache-directory.mjs";
import { npmArguments } from "../download-package.mjs";
import { captureNpm } from "../run.mjs";
import { nodeBinary, otherNodeVersions } from "../test-node-versions.mjs";

const nameOf = (name) => `SANDBOX_AGENT_${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}`;

/**
 * The variables with which the suite drives this version. A program that is ready to run is installed by the suite itself;
 * of one that Node runs nobody knows what a new version needs, so that npm installs it, with the Node it asks for.
 */
export async function prepareProgram({ id, program }, version, { node }) {
  if (version === program.version) return {};
  if (program.source.kind === "npm") return { [`${nameOf(program.name)}_VERSION`]: version };
  const folder = join(cacheDirectory(process.env), "radar", `${id}@${version}`);
  const { package: name, entry } = program.source;
  if (!existsSync(join(folder, "node_modules", name, entry))) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), "{}");
    const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    const install = ["install", ...quiet, ...npmArguments(), "--prefix", folder, `${name}@${version}`];
    const { code, output } = await captureNpm(install, { cwd: folder });
    if (code !== 0) throw new Error(`${name}@${version} could not be installed: ${output.trim().split("\n", 1)[0]}`);
  }
  const launcher = join(folder, program.name);
  const quoted = [await nodeFor(node), join(folder, "node_modules", name, entry)].map((path) => `'${path}'`);
  writeFileSync(launcher, `#!/bin/sh\nexec ${quoted.join(" ")} "$@"\n`);
  chmodSync(launcher, 0o755);
  return { [`${nameOf(program.name)}_BIN`]: launcher };
}

/** This Node, or the oldest that is new enough of those we know, from the registry. */
async function nodeFor(range) {
  const wanted = Number(/\d+/.exec(range ?? "")?.[0] ?? 0);
  const majorOf = (version) => Number(version.split(".")[0]);
  if (wanted <= majorOf(process.versions.node)) return process.execPath;
  const version = otherNodeVersions.find((each) => majorOf(each) >= wanted);
  if (version === undefined) throw new Error(`It wants Node ${range}, and we know none that new.`);
  return nodeBinary(version);
}
