import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { AgentCapabilities } from "@sandbox-agent-ts/protocol";
import { onTestFinished } from "vitest";
import type { SessionConfig } from "../../agent.ts";
import { adapter as mock } from "../../agents/mock/index.ts";
import { AgentHarness } from "../../contract/agent-harness.ts";
import { silent } from "../../contract/harness-world.ts";
import { createSupervisor } from "../../process/supervisor.ts";
import { acpAdapter } from "../acp-adapter.ts";
import type { AcpAgent } from "../acp-agent.ts";

const peerPath = fileURLToPath(new URL("./acp-peer.mjs", import.meta.url));
const capabilities: AgentCapabilities = { ...mock.capabilities };

function peerAgent(description: Partial<AcpAgent> = {}): AcpAgent {
  return {
    id: "peer",
    displayName: "Peer",
    command: process.execPath,
    args: [peerPath],
    capabilities,
    quirks: { offers: { files: true, terminals: true } },
    ...description,
  };
}

/** A session with the agent of `acp-peer.mjs`, gone when the test is over. */
export async function openPeer(
  session: Partial<SessionConfig> = {},
  description: Partial<AcpAgent> = {},
  { owner = randomUUID(), env = {} }: { owner?: string; env?: Record<string, string> } = {},
): Promise<AgentHarness> {
  const supervisor = createSupervisor({ recordDir: null, owner, log: silent });
  const host = { env: { PATH: process.env.PATH ?? "", ...env }, spawn: supervisor.spawn };
  const harness = await AgentHarness.open(acpAdapter(peerAgent(description)), session, { host });
  onTestFinished(async () => {
    await harness.dispose();
    await supervisor.close();
  });
  return harness;
}
