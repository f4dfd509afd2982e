import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SandboxError } from "@sandbox-agent/protocol";
import type { AgentHost, AgentLogger, SessionConfig } from "../agent.ts";
import type { PreparedWorld } from "./agent-scenario.ts";

const silent: AgentLogger = { debug() {}, info() {}, warn() {}, error() {} };

/** The host and the session an adapter is opened with in a test: two fresh directories and nothing else. */
export interface HarnessWorld {
  readonly host: AgentHost;
  readonly session: SessionConfig;
  dispose(): Promise<void>;
}

export async function makeWorld(prepared: PreparedWorld, session: Partial<SessionConfig>): Promise<HarnessWorld> {
  const root = await mkdtemp(join(tmpdir(), "agent-contract-"));
  const [dataDir, directory] = [join(root, "data"), join(root, "work")];
  await Promise.all([mkdir(dataDir), mkdir(directory)]);
  return {
    host: { env: {}, dataDir, log: silent, spawn: refuseToSpawn, ...prepared.host },
    session: {
      sessionId: "contract",
      agentMode: "build",
      permissionMode: "default",
      directory,
      env: {},
      ...prepared.session,
      ...session,
    },
    async dispose() {
      await prepared.dispose?.();
      await rm(root, { recursive: true, force: true });
    },
  };
}

function refuseToSpawn(): never {
  throw new SandboxError("internal_error", "This test has no supervisor. Give the scenario a host with `spawn`.");
}
