// `npm run build` makes every package's dist; `--cli` makes only the bundle that runs.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { build } from "esbuild";
import { inRoot } from "./root.mjs";
import { runNode } from "./run.mjs";
import { cliBundle, prepare } from "./setup.mjs";

/** One CommonJS file: it starts faster than modules do, and what is imported lazily stays lazy inside it. */
async function bundleCli() {
  const { version } = JSON.parse(readFileSync(inRoot("packages/cli/package.json"), "utf8"));
  const { outputFiles } = await build({
    absWorkingDir: inRoot(),
    entryPoints: [inRoot("packages/cli/src/bin.ts")],
    outfile: cliBundle,
    bundle: true,
    write: false,
    format: "cjs",
    platform: "node",
    target: "node20",
    conditions: ["source"],
    mainFields: ["module", "main"],
    minifySyntax: true,
    minifyWhitespace: true,
    keepNames: true,
    legalComments: "none",
    define: { SANDBOX_AGENT_VERSION: JSON.stringify(version) },
    logLevel: "warning",
  });
  mkdirSync(dirname(cliBundle), { recursive: true });
  replaceFile(cliBundle, outputFiles[0].contents);
}

/** Somebody may be running the old file: it is replaced whole, never half. */
function replaceFile(path, contents) {
  const beside = `${path}.${process.pid}`;
  writeFileSync(beside, contents);
  renameSync(beside, path);
}

const onlyCli = process.argv.includes("--cli");
if (!onlyCli) await prepare();
await bundleCli();
if (!onlyCli) process.exitCode = await runNode([inRoot("node_modules/typescript/bin/tsc"), "-b"]);
