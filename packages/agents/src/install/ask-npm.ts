import { execFile } from "node:child_process";

const npmTimeoutMs = 20_000;
const maxAnswerBytes = 4 * 1024 * 1024;

/**
 * What npm itself would use; `undefined` when there is no npm, or it does not answer. Secrets are not among it. `--global`
 * leaves out the .npmrc of the working directory: a daemon may be started in a directory that somebody else wrote.
 */
export function askNpm(
  env: Readonly<Record<string, string | undefined>>,
): Promise<Record<string, unknown> | undefined> {
  const options = { env, timeout: npmTimeoutMs, killSignal: "SIGKILL", maxBuffer: maxAnswerBytes } as const;
  return new Promise((resolve) => {
    execFile("npm", ["config", "list", "--json", "--global"], options, (error, stdout) =>
      resolve(error ? undefined : parse(stdout)),
    );
  });
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === "object" && answer !== null ? { ...answer } : undefined;
  } catch {
    return undefined;
  }
}
