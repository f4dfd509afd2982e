import type { AgentAdapter, AgentSession } from "@sandbox-agent-ts/agents";
import { createFakeAgent } from "@sandbox-agent-ts/testing";

const { capabilities } = createFakeAgent();

/** An agent that does nothing but what a test says it does. */
export function stubAgent(
  id: string,
  adapter: Partial<AgentAdapter>,
  session: Partial<AgentSession> = {},
): AgentAdapter {
  return {
    id,
    displayName: id,
    capabilities,
    permissionModes: ["default"],
    probe: async () => ({ installed: true, credentialsAvailable: true }),
    modes: async () => [{ id: "build", name: "Build", description: "" }],
    models: async () => ({ models: [] }),
    open: async () => ({
      prompt: async () => ({ reason: "completed" }),
      interrupt: async () => {},
      answerPermission: async () => {},
      answerQuestion: async () => {},
      close: async () => {},
      ...session,
    }),
    ...adapter,
  };
}
