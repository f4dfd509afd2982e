import type { AgentModelsResponse } from "@sandbox-agent-ts/protocol";
import type { AgentHost, SessionConfig } from "../agent.ts";
import type { AcpAgent } from "./acp-agent.ts";
import { AcpConnection } from "./acp-connection.ts";
import { openConversation } from "./conversation.ts";
import { placeOf, planLaunch } from "./launch.ts";
import { readModels } from "./session-settings.ts";

const FORGET_TIMEOUT_MS = 5_000;

/** An agent tells its models only with a conversation, so one is begun and left. Rejects when that cannot be. */
export async function askForModels(agent: AcpAgent, host: AgentHost): Promise<AgentModelsResponse> {
  const session: SessionConfig = {
    sessionId: "models",
    agentMode: "build",
    permissionMode: "default",
    directory: host.dataDir,
    env: {},
  };
  const place = placeOf(agent, host, session);
  const launch = await planLaunch(agent, place);
  const here = { ...place, env: launch.env };
  const connection = new AcpConnection(agent, here, launch, { takeCalls() {}, leftOut() {}, lost() {} });
  try {
    await connection.initialize();
    const { opened, nativeId } = await openConversation(agent, here, connection, undefined);
    await forget(connection, nativeId);
    return readModels(opened);
  } finally {
    await connection.close({ politely: true });
  }
}

/** The person does not want to find it among their conversations. */
async function forget(connection: AcpConnection, sessionId: string): Promise<void> {
  if (!connection.initialized.agentCapabilities?.sessionCapabilities?.delete) return;
  await connection.request("session/delete", { sessionId }, { timeoutMs: FORGET_TIMEOUT_MS }).catch(() => {});
}
