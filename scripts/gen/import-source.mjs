import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { root } from "./root.mjs";

/** A bundled library that is CommonJS asks for Node's own modules with it. */
const requireFunction =
  'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);';

/**
 * Import a TypeScript module of this repository in a Node that cannot read TypeScript. `external`: packages that are not to be
 * bundled with it.
 */
export async function importSource(path, { external = [] } = {}) {
  // From within the repository its packages are found.
  const parent = external.length > 0 ? join(root, "node_modules") : tmpdir();
  const directory = await mkdtemp(join(parent, ".sandbox-agent-gen-"));
  const outfile = join(directory, "module.mjs");
  try {
    await build({
      entryPoints: [join(root, path)],
      outfile,
      bundle: true,
      platform: "node",
      format: "esm",
      conditions: ["@sandbox-agent-ts/source"],
      external,
      logLevel: "error",
      banner: { js: requireFunction },
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
