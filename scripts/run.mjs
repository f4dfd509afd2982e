import { spawn } from "node:child_process";
import { inRoot } from "./root.mjs";

/** Run a program to its end with our own terminal; answers its exit code (128 when a signal ended it). */
export function run(program, args, { env = process.env } = {}) {
  return untilExit(spawn(program, args, { cwd: inRoot(), env, stdio: "inherit" }));
}

/** Run a script of ours with this same Node. */
export const runNode = (args, options) => run(process.execPath, args, options);

/** Run the npm that runs us, or the one on the PATH. */
export const runNpm = (args, options) => run(...npmCommand(args), options);

/** Run a script of ours and keep what it prints, e.g. because several run at once. */
export const captureNode = (args, options) => capture(process.execPath, args, options);

export const captureNpm = (args, options) => capture(...npmCommand(args), options);

function npmCommand(args) {
  const npm = process.env.npm_execpath;
  return npm?.endsWith(".js") ? [process.execPath, [npm, ...args]] : ["npm", args];
}

async function capture(program, args, { cwd = inRoot(), env = process.env } = {}) {
  const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  let stdout = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
  child.stdout.on("data", (text) => (stdout += text));
  const code = await untilExit(child, "close");
  return { code, output, stdout };
}

function untilExit(child, event = "exit") {
  return new Promise((resolve, reject) => {
    const forward = (signal) => child.kill(signal);
    process.on("SIGINT", forward).on("SIGTERM", forward);
    child.once("error", reject);
    child.once(event, (code) => {
      process.off("SIGINT", forward).off("SIGTERM", forward);
      resolve(code ?? 128);
    });
  });
}
