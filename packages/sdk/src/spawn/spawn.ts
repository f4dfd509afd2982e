import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { SandboxAgentError } from "../sandbox-agent-error.ts";
import { DaemonProcess } from "./daemon-process.ts";
import { findFreePort } from "./free-port.ts";
import { resolveBinary } from "./resolve-binary.ts";
import type { SandboxAgentSpawnOptions, SpawnedDaemon } from "./spawn-options.ts";
import { waitForHealth } from "./wait-for-health.ts";

export type { SandboxAgentSpawnLogMode, SandboxAgentSpawnOptions } from "./spawn-options.ts";

/** A daemon that was started, with its process. */
export interface SandboxAgentSpawnHandle extends SpawnedDaemon {
  readonly child: ChildProcess;
}

const DEFAULT_HOST = "127.0.0.1";
const TOKEN_BYTES = 24;
const HEALTH_TIMEOUT_MS = 15_000;
/** Somebody else may take the free port before the daemon does. */
const PORT_ATTEMPTS = 3;

/** Start a daemon on this machine and wait until it answers. It ends with `dispose`, or with this process. */
export async function spawnSandboxAgent(options: SandboxAgentSpawnOptions = {}): Promise<SandboxAgentSpawnHandle> {
  for (let attempt = 1; ; attempt += 1) {
    const port = options.port ?? (await findFreePort(options.host ?? DEFAULT_HOST));
    try {
      return await startOn(port, options);
    } catch (error) {
      if (options.port !== undefined || attempt === PORT_ATTEMPTS || !isPortTaken(error)) throw error;
    }
  }
}

async function startOn(port: number, options: SandboxAgentSpawnOptions): Promise<SandboxAgentSpawnHandle> {
  const { host = DEFAULT_HOST, token = randomBytes(TOKEN_BYTES).toString("hex"), log = "silent" } = options;
  const { timeoutMs = HEALTH_TIMEOUT_MS } = options;
  const env = { ...process.env, ...options.env, ...dataDirOf(options), SANDBOX_AGENT_TOKEN: token };
  const { command, args } = resolveBinary(options.binaryPath, env);
  const serverArgs = [...args, "server", "--host", host, "--port", String(port), ...storeFlags(env)];
  const daemon = DaemonProcess.start({ command, args: serverArgs, env, log });
  const baseUrl = `http://${reachableHost(host)}:${port}`;
  try {
    await waitForHealth(baseUrl, daemon, timeoutMs);
  } catch (error) {
    await daemon.stop();
    throw error;
  }
  return { baseUrl, token, child: daemon.child, dispose: () => daemon.stop() };
}

function dataDirOf({ dataDir }: SandboxAgentSpawnOptions): Record<string, string> {
  return dataDir === undefined ? {} : { SANDBOX_AGENT_DATA_DIR: dataDir };
}

/** Without a directory of its own a daemon keeps nothing: the user's belongs to one daemon at a time, and we are many. */
function storeFlags(env: Readonly<Record<string, string | undefined>>): string[] {
  return env.SANDBOX_AGENT_DATA_DIR ? [] : ["--ephemeral"];
}

/** "Listen everywhere" is no address to connect to. */
function reachableHost(host: string): string {
  if (host === "0.0.0.0") return DEFAULT_HOST;
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}

function isPortTaken(error: unknown): boolean {
  return error instanceof SandboxAgentError && /EADDRINUSE|address already in use/i.test(error.message);
}
