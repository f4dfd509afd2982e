// `npm run build` makes every package's dist; `--cli` makes only the bundle that runs.
import { dirname } from "node:path";
import { inRoot } from "./root.mjs";
import { runNode } from "./run.mjs";
import { cliBundle, prepare } from "./setup.mjs";

await prepare();
const { writeCli } = await import("./bundle-cli.mjs");
await writeCli(dirname(cliBundle));
if (!process.argv.includes("--cli")) {
  process.exitCode = await runNode([inRoot("node_modules/typescript/bin/tsc"), "-b"]);
}
