import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const nodeModules = fileURLToPath(new URL("../../../../../../node_modules", import.meta.url));

/** A program of this folder as one file in the directory, which can load what is not bundled. */
export async function bundle(name: string, directory: string): Promise<string> {
  const outfile = join(directory, `${name}.mjs`);
  symlinkSync(nodeModules, join(directory, "node_modules"), "junction");
  await build({
    entryPoints: [fileURLToPath(new URL(`./${name}.ts`, import.meta.url))],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    external: ["libsql"],
    conditions: ["@sandbox-agent-ts/source"],
  });
  return outfile;
}
