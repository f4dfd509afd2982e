import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { compare, type Figure } from "../figure.ts";
import {
  benchServer,
  type ChildServer,
  cliCommand,
  serverFlags,
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
      await sideBySide(rounds * 6, () => startTime(nodeWith(benchServer("http-floor"))), timeOfBundle),
      { atMost: 1.3 },
    ),
  ],
};

export const executableStart: Figure = {
  name: "executable-start",
  work: "the single executable: process start → first 200 of /v1/health",
  measure: async ({ rounds }) => {
    const { SANDBOX_AGENT_EXECUTABLE: executable, SANDBOX_AGENT_EXECUTABLE_NODE: node } = process.env;
    if (!executable || !node) return [];
    const timeOfExecutable = () => timeOfServer((dataDir) => [executable, ...serverFlags(dataDir)]);
    const timeOnItsNode = () => timeOfServer((dataDir) => [node, ...cliCommand(dataDir)]);
    const measured = await sideBySide(rounds * 6, timeOnItsNode, timeOfExecutable);
    return [compare("executable's cold start", "ms", "the bundle on the same Node", measured, { atMost: 1.3 })];
  },
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

const nodeWith = (args: readonly string[]): string[] => [process.execPath, ...args];

const timeOfBundle = () => timeOfServer((dataDir) => nodeWith(cliCommand(dataDir)));

async function timeOfServer(command: (dataDir: string) => readonly string[]): Promise<number> {
  const dataDir = temporaryDirectory();
  try {
    return await startTime(command(dataDir));
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** From spawning until it answers; the URL is awaited first, so polling costs nothing. */
async function startTime([program, ...args]: readonly string[]): Promise<number> {
  const start = performance.now();
  const child = spawn(program!, args, { stdio: ["ignore", "pipe", "inherit"] });
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
