import { hookEvents } from "@sandbox-agent-ts/protocol";
import { acpAdapter } from "../../acp/acp-adapter.ts";
import { credentials } from "./credentials.ts";
import { program } from "./program.ts";
import { quirks } from "./quirks.ts";

const MODES = "https://agentclientprotocol.com/protocol/session-modes";

/** GitHub Copilot CLI over ACP. */
export const adapter = acpAdapter({
  id: "copilot",
  displayName: "GitHub Copilot",
  program,
  credentials,
  args: ["--acp", "--no-auto-update"],
  capabilities: {
    planMode: true,
    permissions: true,
    questions: false,
    toolCalls: true,
    toolResults: true,
    textMessages: true,
    images: true,
    fileAttachments: true,
    sessionLifecycle: true,
    errorEvents: true,
    reasoning: true,
    status: false,
    commandExecution: true,
    fileChanges: true,
    mcpTools: true,
    streamingDeltas: true,
    itemStarted: true,
    sharedProcess: false,
  },
  profile: { subagents: ["tools", "model"], hooks: hookEvents },
  // It asks before whatever changes something; what `bypass` allows is answered here.
  permissionModes: {
    default: { sessionMode: `${MODES}#agent` },
    plan: { sessionMode: `${MODES}#plan` },
    acceptEdits: { sessionMode: `${MODES}#agent` },
    bypass: { sessionMode: `${MODES}#agent` },
  },
  unaskedKinds: ["read", "mcp"],
  quirks,
});
