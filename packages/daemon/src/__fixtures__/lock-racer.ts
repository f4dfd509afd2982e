import { createInterface } from "node:readline";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import { takeLock } from "../data-dir/lock.ts";

/** Tries to take each lock it is told of, one path a line with the moment to try it, and says how that went. */
createInterface(process.stdin).on("line", (line) => {
  const { path, at } = JSON.parse(line) as { path: string; at: number };
  while (Date.now() < at);
  void attempt(path).then((result) => process.stdout.write(`${result}\n`));
});

async function attempt(path: string): Promise<string> {
  try {
    await takeLock(path, "the directory");
    return "won";
  } catch (error) {
    return error instanceof SandboxError ? "lost" : `failed: ${error}`;
  }
}
