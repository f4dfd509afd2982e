import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { root } from "./root.mjs";

/** A bundled library that is CommonJS asks for Node's own modules with it. */
const requireFunction = 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';

/** Import a TypeScript module of this repository in a Node that cannot read TypeScript. */
export async function importSource(path) {
  const directory = await mkdtemp(join(tmpdir(), "sandbox-agent-gen-"));
  const outfile = join(directory, "module.mjs");
  try {
    await build({
      entryPoints: [join(root, path)],
      outfile,
      bundle: true,
      platform: "node",
      format: "esm",
      conditions: ["@sandbox-agent-ts/source"],
      logLevel: "error",
      banner: { js: requireFunction },
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
