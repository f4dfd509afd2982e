import { type Serializable, type StdioOptions, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire, runMain } from "node:module";
import { basename, delimiter, join, resolve } from "node:path";
import { constants, runInThisContext } from "node:vm";

/** Options of Node whose value is the argument behind them, where it is not written with `=`. */
const optionsWithValue = new Set(["-r", "--require", "--import", "-C", "--conditions", "--env-file", "-e", "--eval"]);

/** Holds NODE_OPTIONS as they were, while options of the command line are among them. */
const outerOptionsVariable = "SANDBOX_AGENT_OUTER_NODE_OPTIONS";

const forwardedSignals = ["SIGINT", "SIGTERM", "SIGHUP", "SIGUSR2"] as const;

/** Node's own exit code for it. */
const INVALID_ARGUMENT = 9;

/** Under this name the executable is a Node, so that agents written in JavaScript need none on the machine. */
export function isCalledNode(argv0: string): boolean {
  return /^node(\.exe)?$/i.test(basename(argv0));
}

/** Do what `node …` does with a script, code (`-e`) or `--version`. */
export function runAsNode(args: readonly string[]): void {
  // What it starts with its own path, e.g. by fork(), is to be a Node too.
  process.execPath = pathOf(process.argv0);
  restoreNodeOptions();
  const { options, code, rest } = splitArguments(args);
  if (options.includes("--version") || options.includes("-v")) console.log(process.version);
  else if (options.length > 0) restartWith(options, code === undefined ? rest : ["-e", code, ...rest]);
  else if (code !== undefined) runCode(code, rest);
  else runScript(rest);
}

function runScript([script, ...args]: readonly string[]): void {
  if (script === undefined) {
    console.error("This Node, which is part of sandbox-agent, runs a script file or the code behind -e. Name one.");
    process.exitCode = INVALID_ARGUMENT;
    return;
  }
  process.argv = [process.execPath, resolve(script), ...args];
  runMain();
}

interface NodeArguments {
  readonly options: readonly string[];
  readonly code?: string | undefined;
  /** The script, unless there is code, and its arguments. */
  readonly rest: readonly string[];
}

export function splitArguments(args: readonly string[]): NodeArguments {
  const options: string[] = [];
  let code: string | undefined;
  let at = 0;
  for (; args[at]?.startsWith("-"); at += 1) {
    const option = args[at] as string;
    if (option === "--") return { options, code, rest: args.slice(at + 1) };
    const value = optionsWithValue.has(option) ? args[++at] : undefined;
    if (option === "-e" || option === "--eval") code = value ?? "";
    else options.push(option, ...(value === undefined ? [] : [value]));
  }
  return { options, code, rest: args.slice(at) };
}

/**
 * Node takes no options from the command line of an executable, so that it is started once more with them in
 * NODE_OPTIONS; we pass on messages, signals and the exit code.
 */
function restartWith(options: readonly string[], args: readonly string[]): void {
  const { NODE_OPTIONS: outer = "" } = process.env;
  const inner = options.map((option) => JSON.stringify(option)).join(" ");
  const env = { ...process.env, NODE_OPTIONS: `${outer} ${inner}`.trim(), [outerOptionsVariable]: outer };
  const stdio: StdioOptions = ["inherit", "inherit", "inherit", ...(process.connected ? (["ipc"] as const) : [])];
  const child = spawn(process.execPath, args, { env, stdio });
  if (process.connected) {
    child.on("message", (message) => process.send?.(message)).once("disconnect", () => process.disconnect?.());
    process.on("message", (message: Serializable) => child.send(message));
    process.once("disconnect", () => child.connected && child.disconnect());
  }
  for (const signal of forwardedSignals) process.on(signal, () => child.kill(signal));
  child.once("exit", (code, signal) => {
    for (const each of forwardedSignals) process.removeAllListeners(each);
    if (signal) process.kill(process.pid, signal);
    else process.exit(code ?? 1);
  });
}

function restoreNodeOptions(): void {
  const outer = process.env[outerOptionsVariable];
  if (outer === undefined) return;
  delete process.env[outerOptionsVariable];
  if (outer === "") delete process.env.NODE_OPTIONS;
  else process.env.NODE_OPTIONS = outer;
}

function runCode(code: string, args: readonly string[]): void {
  process.argv = [process.execPath, ...args];
  Object.assign(globalThis, { require: createRequire(join(process.cwd(), "[eval]")) });
  const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  runInThisContext(code, { filename: "[eval]", importModuleDynamically });
}

function pathOf(argv0: string): string {
  if (argv0 !== basename(argv0)) return resolve(argv0);
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.map((folder) => join(folder, argv0)).find((path) => existsSync(path)) ?? process.execPath;
}
