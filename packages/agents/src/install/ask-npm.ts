import { runBriefly } from "../process/run-briefly.ts";

const npmTimeoutMs = 20_000;
const maxAnswerBytes = 4 * 1024 * 1024;

/**
 * What npm itself would use; `undefined` when there is no npm, or it does not answer. Secrets are not among it. `--global`
 * leaves out the .npmrc of the working directory: a daemon may be started in a directory that somebody else wrote.
 */
export async function askNpm(
  env: Readonly<Record<string, string | undefined>>,
): Promise<Record<string, unknown> | undefined> {
  const args = ["config", "list", "--json", "--global"];
  const limits = { timeoutMs: npmTimeoutMs, maxOutputBytes: maxAnswerBytes };
  const { stdout, failure } = await runBriefly({ command: "npm", args, env, ...limits });
  return failure === undefined ? parse(stdout) : undefined;
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === "object" && answer !== null ? { ...answer } : undefined;
  } catch {
    return undefined;
  }
}
