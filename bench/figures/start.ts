import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { compare, type Figure } from "../figure.ts";
import {
  benchServer,
  type ChildServer,
  cliCommand,
  startBenchServer,
  startCli,
  temporaryDirectory,
} from "../support/child-server.ts";
import { call } from "../support/http-client.ts";
import { sideBySide } from "../support/statistics.ts";

const bare = "bare node:http server";
const settleMs = 1500;

export const coldStart: Figure = {
  name: "cold-start",
  work: "process start → first 200 of /v1/health",
  measure: async ({ rounds }) => [
    compare(
      "cold start",
      "ms",
      bare,
      await sideBySide(rounds * 6, () => startTime(benchServer("http-floor")), timeOfCli),
      { atMost: 1.3 },
    ),
  ],
};

export const idleMemory: Figure = {
  name: "idle-memory",
  work: "resident memory after one /v1/health",
  measure: async ({ rounds }) => [
    compare(
      "idle memory",
      "MB",
      bare,
      await sideBySide(
        rounds,
        () => memoryOf(startBenchServer("http-floor")),
        () => memoryOf(startCli()),
      ),
      { atMost: 1.35 },
    ),
  ],
};

async function timeOfCli(): Promise<number> {
  const dataDir = temporaryDirectory();
  try {
    return await startTime(cliCommand(dataDir));
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** From spawning until it answers; the URL is awaited first, so polling costs nothing. */
async function startTime(args: readonly string[]): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  for await (const chunk of child.stdout) {
    output += chunk;
    if (/http:\/\/127\.0\.0\.1:\d+/.test(output)) break;
  }
  const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(output)!;
  await call(`${url}/v1/health`);
  const elapsed = performance.now() - start;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  await exited;
  return elapsed;
}

async function memoryOf(starting: Promise<ChildServer>): Promise<number> {
  const server = await starting;
  await call(`${server.url}/v1/health`);
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  const megabytes = server.memory() / 1e6;
  await server.stop();
  return megabytes;
}
