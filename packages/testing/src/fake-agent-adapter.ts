import type { AgentAdapter } from "@sandbox-agent-ts/agents";
import { fakeAgentPath } from "./fake-agent-path.ts";
import { FakeAgentSession, type FakeSessionLimits } from "./fake-agent-session.ts";

/** The fake agent as the daemon sees an agent: the smallest adapter that drives a real process, and the one to copy. */
export function createFakeAgent(limits: FakeSessionLimits = {}): AgentAdapter {
  return {
    id: "fake",
    displayName: "Fake agent",
    profile: {
      lacks: {
        systemPrompt: "The fake agent has no model to prompt.",
        instructions: "The fake agent has no model to prompt.",
        skills: "The fake agent has no skills.",
        subagents: "The fake agent has no subagents of a session.",
        mcp: "The fake agent starts no MCP servers.",
        hooks: "The fake agent runs no hooks.",
        env: "The fake agent runs no commands.",
        secrets: "The fake agent runs no commands.",
      },
    },
    permissionModes: ["default", "bypass"],
    capabilities: {
      planMode: false,
      permissions: true,
      questions: false,
      toolCalls: false,
      toolResults: false,
      textMessages: true,
      images: false,
      fileAttachments: false,
      sessionLifecycle: true,
      errorEvents: false,
      reasoning: false,
      status: false,
      commandExecution: false,
      fileChanges: false,
      mcpTools: false,
      streamingDeltas: true,
      itemStarted: true,
      sharedProcess: false,
    },
    probe: async () => ({ installed: true, credentialsAvailable: true, version: "bundled", path: fakeAgentPath }),
    modes: async () => [{ id: "build", name: "Build", description: "Does what the prompt says" }],
    models: async () => ({ models: [{ id: "fake" }], defaultModel: "fake" }),
    open: async (options) => new FakeAgentSession(options, limits),
  };
}
