import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

type Variables = Readonly<Record<string, string>>;

/** What a new user's shell has, and nothing of the person who runs the tests; npm stays away from the network. */
function newShell(folder: string, env: Variables): Variables {
  const { PATH = "", TMPDIR = tmpdir() } = process.env;
  const HOME = mkdtempSync(join(folder, ".home-"));
  return { PATH, TMPDIR, HOME, npm_config_offline: "true", npm_config_update_notifier: "false", ...env };
}

/** Run a line of a README in a directory; rejects with what it said when it fails. */
export async function runLine(folder: string, line: string, env: Variables = {}): Promise<string> {
  const child = spawn("sh", ["-c", line], {
    cwd: folder,
    env: newShell(folder, env),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (said += text));
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`\`${line}\` in ${folder} ended with ${code}:\n${said}`);
  return said;
}

/** A program of a README that goes on until it is ended, with the first line that it prints. */
export async function startLine(folder: string, line: string): Promise<{ first: string; end(): Promise<number> }> {
  const child = spawn("sh", ["-c", `exec ${line}`], {
    cwd: folder,
    env: newShell(folder, {}),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exit = once(child, "exit") as Promise<[number]>;
  const [first] = (await Promise.race([
    once(createInterface({ input: child.stdout }), "line"),
    exit.then(([code]) => Promise.reject(new Error(`\`${line}\` ended with ${code}`))),
  ])) as [string];
  return {
    first,
    end: async () => {
      child.kill("SIGTERM");
      return (await exit)[0];
    },
  };
}
