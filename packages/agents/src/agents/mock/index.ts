import { randomUUID } from "node:crypto";
import type { UniversalEvent } from "@sandbox-agent-ts/protocol";
import type { AgentAdapter, OpenOptions } from "../../agent.ts";
import { refuseUnlisted } from "../../models/refuse-model.ts";
import { MockSession } from "./mock-session.ts";
import { models } from "./models.ts";
import { memoryOf } from "./session-memory.ts";

/** Built in, no process, no network: the reference implementation of the seam, for UI work and tests. */
export const adapter: AgentAdapter = {
  id: "mock",
  displayName: "Mock",
  profile: {
    lacks: {
      systemPrompt: "The mock has no model to prompt.",
      instructions: "The mock has no model to prompt.",
      skills: "The mock has no skills.",
      subagents: "The mock has no subagents of a session.",
      mcp: "The mock starts no MCP servers.",
      hooks: "The mock runs no hooks.",
      env: "The mock runs no commands.",
      secrets: "The mock runs no commands.",
    },
  },
  permissionModes: ["default", "plan", "acceptEdits", "bypass"],
  capabilities: {
    planMode: true,
    permissions: true,
    questions: true,
    toolCalls: true,
    toolResults: true,
    textMessages: true,
    images: true,
    fileAttachments: true,
    sessionLifecycle: true,
    errorEvents: true,
    reasoning: true,
    status: true,
    commandExecution: true,
    fileChanges: true,
    mcpTools: false,
    streamingDeltas: true,
    itemStarted: true,
    sharedProcess: false,
  },

  probe: async () => ({ installed: true, credentialsAvailable: true, version: "bundled" }),

  modes: async () => [
    { id: "build", name: "Build", description: "Does what the message says" },
    { id: "plan", name: "Plan", description: "The same; what is read-only is the permission mode plan" },
  ],

  models: async () => models,
  refuseModel: async (_host, wish) => refuseUnlisted("Mock", models, wish),

  async restore({ conversation }) {
    if (!("events" in conversation)) return { nativeSessionId: conversation.nativeSessionId };
    return { nativeSessionId: `mock-${randomUUID()}`, memory: memoryOf(messagesIn(conversation.events)) };
  },

  /** Without a program there is nothing to go on with but the id and what the session gave to `remember`. */
  async open(options: OpenOptions) {
    options.setNativeSessionId(options.nativeSessionId ?? `mock-${randomUUID()}`);
    return new MockSession(options);
  },
};

function messagesIn(events: readonly UniversalEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type !== "item.completed" || event.data.item.role !== "user") return [];
    return event.data.item.content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  });
}
