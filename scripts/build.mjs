// `npm run build` makes everything: the CLI's bundle, the web inspector, every package's dist. `--cli` and `--ui` make
// only the first or the second.
import { dirname } from "node:path";
import { inRoot } from "./root.mjs";
import { runNode } from "./run.mjs";
import { cliBundle, prepare, uiDirectory } from "./setup.mjs";

const wanted = process.argv.slice(2);
const isWanted = (flag) => wanted.length === 0 || wanted.includes(flag);

await prepare();
if (isWanted("--cli")) {
  const { writeCli } = await import("./bundle-cli.mjs");
  await writeCli(dirname(cliBundle));
}
if (isWanted("--ui")) {
  const { writeUi } = await import("./build-ui.mjs");
  process.exitCode = await writeUi(uiDirectory);
}
if (wanted.length === 0) {
  const code = await runNode([inRoot("node_modules/typescript/bin/tsc"), "-b"]);
  process.exitCode ||= code;
}
