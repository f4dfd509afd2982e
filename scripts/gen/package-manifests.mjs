import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "./root.mjs";

const repository = "https://github.com/sandbox-agent-ts/sandbox-agent";

/** What every published package says, the same in each or made from its folder. */
const shared = (folder) => ({
  license: "Apache-2.0",
  repository: { type: "git", url: `git+${repository}.git`, directory: `packages/${folder}` },
  homepage: `${repository}/tree/main/packages/${folder}#readme`,
  bugs: `${repository}/issues`,
  type: "module",
  engines: { node: ">=20.19" },
  publishConfig: { access: "public", provenance: true },
  scripts: { prepack: "node ../../scripts/prepack.mjs" },
});

/** What every published package says for itself. */
const ownFields = ["name", "version", "description", "keywords", "sideEffects", "exports", "files"];

/** In tarballs: the sources too, for source maps and debuggers, but neither tests nor the compiler's notes. */
const libraryFiles = ["dist", "src", "!dist/.tsbuildinfo", "!**/*.test.*", "!**/__fixtures__"];

const order = [
  ...["name", "version", "private", "description", "keywords", "license", "repository", "homepage", "bugs"],
  ...["type", "engines", "sideEffects", "bin", "exports", "imports", "files", "publishConfig", "scripts"],
];

/** The package.json of every package, with the shared fields put in and everything else as it stands there. */
export async function outputs() {
  const folders = (await readdir(join(root, "packages"))).sort();
  return Promise.all(
    folders.map(async (folder) => {
      const path = `packages/${folder}/package.json`;
      const manifest = JSON.parse(await readFile(join(root, path), "utf8"));
      return { path, text: `${JSON.stringify(withSharedFields(folder, manifest), null, 2)}\n` };
    }),
  );
}

export function withSharedFields(folder, manifest) {
  const missing = ownFields.filter((field) => manifest[field] === undefined);
  if (missing.length > 0) throw new Error(`Add ${missing.join(", ")} to packages/${folder}/package.json.`);
  const isLibrary = manifest.bin === undefined;
  const own = isLibrary ? { ...manifest, files: [...new Set([...manifest.files, ...libraryFiles])] } : manifest;
  const whole = { ...own, ...shared(folder) };
  const known = order.filter((field) => field in whole).map((field) => [field, whole[field]]);
  return { ...Object.fromEntries(known), ...whole };
}
