// Pack every package and look at the tarballs as npm, Node, bundlers and TypeScript will. Prints every fault.
import { readFile } from "node:fs/promises";
import { dirname, posix } from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { packAll } from "./pack.mjs";
import { inRoot } from "./root.mjs";

/**
 * What are-the-types-wrong finds and is meant so: the packages are modules without a CommonJS copy, which the oldest Node
 * we support can `require`; and `node10` is how TypeScript resolved before packages had `exports`.
 */
const intended = ({ kind, resolutionKind }) => resolutionKind === "node10" || kind === "CJSResolvesToESM";

/** What is in each tarball whatever the package, and what is in none. */
const wanted = ["package.json", "LICENSE", "README.md"];
const unwanted = /\.test\.|__fixtures__|\.tsbuildinfo$|(^|\/)node_modules\//;

function fileFaults(files) {
  const missing = wanted.filter((path) => !files.has(path)).map((path) => `${path} is missing`);
  const tooMany = [...files.keys()].filter((path) => unwanted.test(path)).map((path) => `${path} should not be in it`);
  const maps = [...files].filter(([path]) => /\.(js|cjs|d\.ts)\.map$/.test(path));
  const dangling = maps.flatMap(([path, text]) => danglingSources(path, text, files));
  return [...missing, ...tooMany, ...dangling, ...danglingEntries(files)];
}

/** publint passes over entries that are TypeScript. */
function danglingEntries(files) {
  const { exports, imports, bin } = JSON.parse(files.get("package.json"));
  const targets = [...new Set([exports, imports, bin].flatMap(targetsIn))];
  const dangling = targets.filter((target) => !files.has(posix.normalize(target)));
  return dangling.map((target) => `package.json names ${target}, which is not in it`);
}

function targetsIn(entry) {
  if (typeof entry === "string") return [entry];
  return Object.values(entry ?? {}).flatMap(targetsIn);
}

function danglingSources(path, text, files) {
  const { sources, sourcesContent = [] } = JSON.parse(text);
  const dangling = sources.filter((source, index) => {
    return sourcesContent[index] == null && !files.has(posix.join(dirname(path), source));
  });
  return dangling.map((source) => `${path} leads to ${source}, which is not in it`);
}

async function typeFaults(packed) {
  // A program (the CLI) has no types, and then no problems with them.
  const { problems = [] } = await checkPackage(packed);
  return problems.filter((problem) => !intended(problem)).map((problem) => `types: ${JSON.stringify(problem)}`);
}

async function publintFaults(bytes) {
  const tarball = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
  return messages.map((message) => `publint: ${formatMessage(message, pkg, { color: false })}`);
}

/** Sentences about what is wrong with a tarball. */
export async function faultsOf(bytes) {
  const packed = createPackageFromTarballData(bytes);
  const folder = `/node_modules/${packed.packageName}/`;
  const paths = packed.listFiles(folder);
  const files = new Map(paths.map((path) => [path.slice(folder.length), packed.readFile(path)]));
  return [...fileFaults(files), ...(await typeFaults(packed)), ...(await publintFaults(bytes))];
}

if (process.argv[1] === import.meta.filename) {
  const tarballs = await packAll(inRoot("dist/packages"));
  for (const [name, tarball] of Object.entries(tarballs)) {
    for (const fault of await faultsOf(await readFile(tarball))) {
      console.error(`${name}: ${fault}`);
      process.exitCode = 1;
    }
  }
}
