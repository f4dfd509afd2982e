// Run by `npm pack` and `npm publish` in the folder of a package: what goes into its tarball is made and nothing else is there.
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { inRoot } from "./root.mjs";
import { runNode } from "./run.mjs";
import { buildCli, buildUi, cliBundle, prepare, stop, uiDirectory } from "./setup.mjs";

const folder = process.cwd();
const { name, bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

async function buildLibrary() {
  const code = await runNode([inRoot("node_modules/typescript/bin/tsc"), "-b", folder]);
  if (code !== 0) stop(`${name} does not compile; see above.`);
  const made = new Set(sourceFiles().flatMap(outputsOf));
  for (const file of filesBelow(join(folder, "dist"))) {
    if (!made.has(file) && file !== ".tsbuildinfo") rmSync(join(folder, "dist", file));
  }
}

/** tsc leaves behind what it made from sources that are gone. */
const outputsOf = (source) => [".js", ".js.map", ".d.ts", ".d.ts.map"].map((end) => source.replace(/\.tsx?$/, end));
const sourceFiles = () => filesBelow(join(folder, "src")).filter((file) => /\.tsx?$/.test(file));

async function buildProgram() {
  await Promise.all([buildCli(), buildUi()]);
  if (!existsSync(join(uiDirectory, "index.html"))) stop("The inspector is not built; see above.");
  removeUnusedParts(join(folder, "dist", "parts"));
}

/** Parts of earlier builds, which a daemon that was started then may still load, are not for others. */
function removeUnusedParts(parts) {
  const used = new Set();
  const visit = (path) => {
    for (const [part] of readFileSync(path, "utf8").matchAll(/[\w.-]+-[A-Z0-9]{8}\.cjs/g)) {
      if (used.has(part) || !existsSync(join(parts, part))) continue;
      used.add(part);
      visit(join(parts, part));
    }
  };
  visit(cliBundle);
  for (const file of filesBelow(parts)) if (!used.has(basename(file))) rmSync(join(parts, file));
}

function filesBelow(directory) {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1));
}

await prepare();
copyFileSync(inRoot("LICENSE"), join(folder, "LICENSE"));
if (bin === undefined) await buildLibrary();
else await buildProgram();
