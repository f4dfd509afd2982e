import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { runBriefly } from "../process/run-briefly.ts";

const npmTimeoutMs = 20_000;
const maxAnswerBytes = 4 * 1024 * 1024;

/**
 * What npm itself would use; `undefined` when there is no npm, or it does not answer. Secrets are not among it. The npm on
 * `PATH` is asked, else the one that came with this Node. `--global` leaves out the .npmrc of the working directory: a
 * daemon may be started in a directory that somebody else wrote.
 */
export async function askNpm(
  env: Readonly<Record<string, string | undefined>>,
  node: string,
): Promise<Record<string, unknown> | undefined> {
  const asked = ["config", "list", "--json", "--global"];
  const limits = { timeoutMs: npmTimeoutMs, maxOutputBytes: maxAnswerBytes };
  const onPath = await runBriefly({ command: "npm", args: asked, env, ...limits });
  if (onPath.failure === undefined) return parse(onPath.stdout);
  const script = npmBeside(node);
  if (script === undefined) return undefined;
  const beside = await runBriefly({ command: node, args: [script, ...asked], env, ...limits });
  return beside.failure === undefined ? parse(beside.stdout) : undefined;
}

/** Node is distributed with an npm, which need not be on `PATH`. */
function npmBeside(node: string): string | undefined {
  if (!/^node(js)?(\.exe)?$/i.test(basename(node))) return undefined;
  const folder = process.platform === "win32" ? dirname(node) : join(nodePrefix(node), "lib");
  const script = join(folder, "node_modules", "npm", "bin", "npm-cli.js");
  return existsSync(script) ? script : undefined;
}

/** The directory that Node is installed in. */
export function nodePrefix(node: string): string {
  const real = existsSync(node) ? realpathSync(node) : node;
  return process.platform === "win32" ? dirname(real) : dirname(dirname(real));
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === "object" && answer !== null ? { ...answer } : undefined;
  } catch {
    return undefined;
  }
}
