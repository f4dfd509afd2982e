import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { AgentHost, AgentLogger, SessionConfig } from "../agent.ts";

export const silent: AgentLogger = { debug() {}, info() {}, warn() {}, error() {} };

/** What a session is opened with in a test; what is missing is made, and removed with it. */
export interface Surroundings {
  readonly host?: Partial<AgentHost>;
  readonly session?: Partial<SessionConfig>;
  dispose?(): Promise<void>;
}

export interface HarnessWorld {
  readonly host: AgentHost;
  readonly session: SessionConfig;
  dispose(): Promise<void>;
}

export async function makeWorld(given: Surroundings): Promise<HarnessWorld> {
  const root = await mkdtemp(join(tmpdir(), "agent-session-"));
  const [dataDir, directory, installRoot] = [join(root, "data"), join(root, "work"), join(root, "programs")];
  await Promise.all([mkdir(dataDir), mkdir(directory)]);
  return {
    host: { env: {}, dataDir, installRoot, log: silent, spawn: refuseToSpawn, ...given.host },
    session: {
      sessionId: "contract",
      agentMode: "build",
      permissionMode: "default",
      directory,
      env: {},
      ...given.session,
    },
    async dispose() {
      await given.dispose?.();
      await rm(root, { recursive: true, force: true });
    },
  };
}

function refuseToSpawn(): never {
  throw new SandboxError("internal_error", "This test has no supervisor. Give it a host with `spawn`.");
}
