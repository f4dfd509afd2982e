import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createLocalProvider, type Sandbox, type SandboxProvider } from "@sandbox-agent-ts/runtime";
import { compare, type Figure, type Result, type Settings } from "../figure.ts";
import { temporaryDirectory } from "../support/child-server.ts";
import { sideBySide } from "../support/statistics.ts";
import { timeOf } from "../support/time-of.ts";

const token = "bench";
const bundle = () => dirname(process.env.SANDBOX_AGENT_CLI!);
const flags = (dataDir: string) => ["server", "--data-dir", dataDir, "--no-ui", "--quiet", "--log-level", "error"];

export const sandboxes: Figure = {
  name: "sandboxes",
  work: "a local sandbox: create → start → first 200 of /v1/health, and finding it again",
  measure: async (settings) => {
    const root = temporaryDirectory();
    try {
      return [
        ...(await measureProvider("plain", createLocalProvider({ root, isolation: "none" }), settings)),
        ...(await measureProvider("bubblewrap", createLocalProvider({ root, isolation: "auto" }), settings)),
      ];
    } finally {
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    }
  },
};

async function measureProvider(how: string, provider: SandboxProvider, { rounds }: Settings): Promise<Result[]> {
  if (how === "bubblewrap" && !provider.can.isolation) return [];
  const cold = await sideBySide(rounds * 4, timeOfBareDaemon, () => timeOfSandbox(provider));
  const sandbox = await startSandbox(provider);
  const { url } = await sandbox.endpoint();
  const attached = await sideBySide(
    rounds * 10,
    () => timeOf(() => untilHealthy(url)),
    () => timeOf(async () => untilHealthy((await (await provider.attach(sandbox.id))!.endpoint()).url)),
  );
  await sandbox.destroy();
  return [
    compare(`cold sandbox, ${how}`, "ms", "the daemon alone", cold, { atMost: 1.5 }),
    compare(`attach and ask, ${how}`, "ms", "ask", attached),
  ];
}

async function timeOfSandbox(provider: SandboxProvider): Promise<number> {
  const start = performance.now();
  const sandbox = await startSandbox(provider);
  const elapsed = performance.now() - start;
  await sandbox.destroy();
  return elapsed;
}

export async function startSandbox(provider: SandboxProvider): Promise<Sandbox> {
  const sandbox = await provider.create({ labels: { of: "bench" }, bundle: bundle() });
  const { paths } = sandbox;
  await sandbox.start([`${paths.bundle}/sandbox-agent.cjs`, ...flags(paths.data)], { SANDBOX_AGENT_TOKEN: token });
  await untilHealthy((await sandbox.endpoint()).url);
  return sandbox;
}

/** The same daemon, asked in the same way. In a session of its own the kernel gives it as much of a busy machine. */
async function timeOfBareDaemon(): Promise<number> {
  const dataDir = temporaryDirectory();
  const start = performance.now();
  const port = await freePort();
  const args = [join(bundle(), "sandbox-agent.cjs"), ...flags(dataDir), "--port", String(port)];
  const env = { PATH: process.env.PATH, HOME: dataDir, SANDBOX_AGENT_TOKEN: token };
  const child = spawn(process.execPath, args, { stdio: "ignore", env, detached: true });
  await untilHealthy(`http://127.0.0.1:${port}`);
  const elapsed = performance.now() - start;
  child.kill("SIGKILL");
  await once(child, "exit");
  rmSync(dataDir, { recursive: true, force: true });
  return elapsed;
}

async function untilHealthy(url: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${url}/v1/health`).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.ok) return;
    await sleep(2);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
