// Takes an isolated sandbox through its life and prints what it saw: `ordinary-user-program.mjs root bundle`.
import { accessSync } from "node:fs";
import { createLocalProvider } from "../local-provider.ts";

const [, , root = "", bundle = ""] = process.argv;
const provider = createLocalProvider({ root, isolation: "bubblewrap" });
const sandbox = await provider.create({ labels: {}, bundle });
const path = `${sandbox.paths.workspace}/script.cjs`;
const script = `const fs = require("node:fs");
  fs.mkdirSync("locked/deep", { recursive: true });
  fs.writeFileSync("locked/deep/file", "");
  fs.chmodSync("locked/deep", 0o000);
  fs.chmodSync("locked", 0o500);
  console.error("uid " + process.getuid());
  setInterval(() => {}, 1000);`;
await sandbox.write([{ path, data: Buffer.from(script) }]);
await sandbox.start([path], {});
while (!(await sandbox.logs(1_000)).includes("uid")) {
  const { state, why } = await sandbox.status();
  if (state === "failed") throw new Error(`${why} ${await sandbox.logs(1_000)}`);
  await new Promise((resolve) => setTimeout(resolve, 20));
}
const logs = await sandbox.logs(1_000);
await sandbox.suspend?.();
const { state } = await sandbox.status();
await sandbox.destroy();
let isGone = false;
try {
  accessSync(`${root}/${sandbox.id}`);
} catch {
  isGone = true;
}
console.log(JSON.stringify({ uid: process.getuid?.(), can: provider.can, logs, state, isGone }));
