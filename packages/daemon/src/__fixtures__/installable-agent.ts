import {
  type AgentAdapter,
  type AgentProgram,
  type LocatedProgram,
  probeProgram,
  requireProgram,
} from "@sandbox-agent-ts/agents";
import { NpmRegistry } from "@sandbox-agent-ts/testing";
import { onTestFinished } from "vitest";
import { stubAgent } from "./stub-agent.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

const packageName = "installable-program";

/** By platform, whatever this one is. */
const packages = new Proxy({}, { get: () => ({ name: packageName, binary: "bin/program" }) });

const program: AgentProgram = { name: "installable", version: "1.0.0", source: { kind: "npm", packages } };

export interface InstallableAgent {
  readonly agent: AgentAdapter;
  readonly registry: NpmRegistry;
  /** For the daemon, so that it finds the registry and touches nothing of this machine's. */
  readonly env: Record<string, string | undefined>;
  /** What each session was opened with. */
  readonly opened: LocatedProgram[];
}

/** An agent whose program, a shell script, is on a registry of its own in these versions; its modes only the program knows. */
export async function installableAgent(versions: readonly string[]): Promise<InstallableAgent> {
  const registry = await NpmRegistry.start();
  onTestFinished(() => registry.close());
  for (const version of versions) {
    await registry.publish({
      name: packageName,
      version,
      files: { "bin/program": `#!/bin/sh\necho ${version}\n` },
    });
  }
  const opened: LocatedProgram[] = [];
  const { open, modes } = stubAgent("installable", {});
  const agent = stubAgent("installable", {
    program,
    probe: async (host) => ({ ...(await probeProgram(program, host)), credentialsAvailable: true }),
    modes: async (host) => {
      await requireProgram(program, host);
      return modes(host);
    },
    open: async (options) => {
      opened.push(await requireProgram(program, options.host, options.session.agentVersion));
      return open(options);
    },
  });
  const env = {
    PATH: process.env.PATH,
    SANDBOX_AGENT_NPM_REGISTRY: registry.url,
    // No vendor is asked for the real agents of the same daemon.
    SANDBOX_AGENT_SOURCES: "npm",
    SANDBOX_AGENT_CACHE_DIR: temporaryDirectory(),
  };
  return { agent, registry, env, opened };
}
