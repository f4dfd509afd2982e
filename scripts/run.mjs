import { spawn } from "node:child_process";
import { inRoot } from "./root.mjs";

/** Run a program to its end with our own terminal; answers its exit code (128 when a signal ended it). */
export function run(program, args, { env = process.env } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: inRoot(), env, stdio: "inherit" });
    const forward = (signal) => child.kill(signal);
    process.on("SIGINT", forward).on("SIGTERM", forward);
    child.once("error", reject);
    child.once("exit", (code) => {
      process.off("SIGINT", forward).off("SIGTERM", forward);
      resolve(code ?? 128);
    });
  });
}

/** Run a script of ours with this same Node. */
export const runNode = (args, options) => run(process.execPath, args, options);

/** Run the npm that runs us, or the one on the PATH. */
export function runNpm(args) {
  const npm = process.env.npm_execpath;
  return npm?.endsWith(".js") ? runNode([npm, ...args]) : run("npm", args);
}
