// What `npm ci` needs of package-lock.json on every platform. Run as a script it prints every fault.
import { readFileSync } from "node:fs";
import { inRoot } from "./root.mjs";

/** How the binaries of other platforms get into the lock: npm leaves out those that the registry does not have. */
const missingBinaryRemedy =
  "Pin a version of which every platform's package is published, delete node_modules and package-lock.json, and run `npm install`.";
const registryRemedy =
  "Run `npm install` in this repository, whose .npmrc sets omit-lockfile-registry-resolved, after deleting node_modules and package-lock.json.";

/** A sentence for each thing that would make `npm ci` fail on some machine. */
export function lockFaults({ packages = {} }) {
  return Object.entries(packages).flatMap(([path, entry]) => [
    ...missingOptionals(packages, path, entry),
    ...registryAddress(path, entry),
  ]);
}

function missingOptionals(packages, path, { optionalDependencies = {} }) {
  const missing = Object.keys(optionalDependencies).filter((name) => !isLocked(packages, path, name));
  return missing.map((name) => `${path || "The root"} wants ${name}, which is not in the lock. ${missingBinaryRemedy}`);
}

/** Where Node would find a package that is wanted at `path`: in its own node_modules, or in one further up. */
function isLocked(packages, path, name) {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/")))) {
    if (`${folder}${folder && "/"}node_modules/${name}` in packages) return true;
    if (folder === "") return false;
  }
}

/** The address of the registry that wrote the lock may not exist for others. Links to our own packages have none. */
function registryAddress(path, { resolved, link }) {
  if (resolved === undefined || link === true) return [];
  return [`${path} is locked to the address ${resolved}. ${registryRemedy}`];
}

if (process.argv[1] === import.meta.filename) {
  const faults = lockFaults(JSON.parse(readFileSync(inRoot("package-lock.json"), "utf8")));
  for (const sentence of faults) console.error(sentence);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
