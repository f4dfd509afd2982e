import type { AgentCapabilities } from "@sandbox-agent-ts/protocol";

/** Of an agent that is also driven without ACP: what its one test shows, and no more. */
export const secondWayCapabilities: AgentCapabilities = {
  planMode: true,
  permissions: true,
  questions: false,
  toolCalls: true,
  toolResults: true,
  textMessages: true,
  images: false,
  fileAttachments: false,
  sessionLifecycle: true,
  errorEvents: false,
  reasoning: false,
  status: false,
  commandExecution: true,
  fileChanges: false,
  mcpTools: false,
  streamingDeltas: true,
  itemStarted: true,
  sharedProcess: false,
};
