// Which package or app may import which. Run as a script it prints every import that breaks the rule.
import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import ts from "typescript";
import { inRoot } from "./root.mjs";

/** Packages and apps by folder, and the folders of the packages they may import. Nobody may import an app. */
export const allowedImports = {
  protocol: [],
  store: ["protocol"],
  agents: ["protocol"],
  server: ["protocol", "store"],
  daemon: ["protocol", "store", "agents", "server"],
  sdk: ["protocol"],
  runtime: ["protocol", "store", "agents", "sdk", "server"],
  react: ["protocol", "sdk"],
  cli: ["protocol", "store", "agents", "server", "daemon", "sdk", "runtime", "react", "testing"],
  testing: ["protocol", "agents"],
  inspector: ["protocol", "sdk", "react"],
};

/** The folders that are in `apps`. */
const apps = ["inspector"];

/** Where a folder's source is, from the root. */
export const sourceOf = (folder) => `${apps.includes(folder) ? "apps" : "packages"}/${folder}/src`;

/** What runs in browsers too, and the folders or files in it that do not. */
export const browserSafe = { protocol: [], sdk: ["spawn"], react: [], inspector: [] };

/** The only libraries these may use; for the others their package.json says it. */
const onlyLibraries = {
  protocol: ["zod"],
  inspector: ["react", "react-dom", "virtua", "marked", "lowlight", "highlight.js", "hast"],
};

export const packageName = (folder) => `@sandbox-agent-ts/${folder}`;

const folderOf = new Map(Object.keys(allowedImports).map((folder) => [packageName(folder), folder]));
const bareName = (specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)[0];

/** Why this import is not allowed, or undefined. `file` is relative to the folder's `src`. */
export function violation(folder, file, specifier) {
  if (specifier.startsWith(".")) {
    return resolve("/src", dirname(file), specifier).startsWith("/src/") ? undefined : "reaches outside of its package";
  }
  if (isBuiltin(specifier)) return nodeViolation(folder, file);
  const target = folderOf.get(bareName(specifier));
  if (target !== undefined) {
    if (target === folder) return undefined;
    if (!allowedImports[folder].includes(target)) return `${folder} may not import ${target}`;
    return isNodeOnly(target, specifier) ? nodeViolation(folder, file) : undefined;
  }
  const libraries = onlyLibraries[folder];
  return libraries?.includes(bareName(specifier)) === false
    ? `${folder} may only use ${libraries.join(", ")}`
    : undefined;
}

/** An entry of a package for browsers that is not for them, e.g. `@sandbox-agent-ts/sdk/spawn`. */
function isNodeOnly(target, specifier) {
  return (browserSafe[target] ?? []).some((name) => specifier === `${packageName(target)}/${name}`);
}

function nodeViolation(folder, file) {
  const exceptions = browserSafe[folder];
  if (exceptions === undefined) return undefined;
  const isException = exceptions.some((name) => file.startsWith(`${name}/`) || file === `${name}.ts`);
  return isException ? undefined : `${folder} must run in browsers`;
}

const isOurs = (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !file.includes("__fixtures__");

/** Every import in the workspace's packages and apps (tests may import more and are left out) that breaks the rule. */
export function findViolations() {
  return Object.keys(allowedImports).flatMap((folder) => {
    const src = inRoot(sourceOf(folder));
    const files = readdirSync(src, { recursive: true }).filter(isOurs);
    return files.flatMap((file) => violationsIn(folder, src, file));
  });
}

function violationsIn(folder, src, file) {
  const path = join(src, file);
  return importsOf(readFileSync(path, "utf8")).flatMap((specifier) => {
    const reason = violation(folder, file, specifier);
    return reason === undefined ? [] : [`${relative(inRoot(), path)} imports ${specifier}: ${reason}`];
  });
}

export function importsOf(text) {
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
}

if (process.argv[1] === import.meta.filename) {
  const violations = findViolations();
  for (const line of violations) console.error(line);
  process.exitCode = violations.length > 0 ? 1 : 0;
}
