import { acpAdapter } from "../../acp/acp-adapter.ts";
import { planInstructions } from "../../acp/session-settings.ts";
import { credentials } from "./credentials.ts";
import { program } from "./program.ts";
import { quirks } from "./quirks.ts";

/** Goose over ACP. */
export const adapter = acpAdapter({
  id: "goose",
  displayName: "Goose",
  program,
  credentials,
  args: ["acp"],
  env: {
    // A sandbox has no keyring.
    GOOSE_DISABLE_KEYRING: "1",
    GOOSE_TELEMETRY_OFF: "1",
    // A title nobody sees costs a request with every turn.
    GOOSE_DISABLE_SESSION_NAMING: "true",
  },
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
    status: true,
    commandExecution: true,
    fileChanges: true,
    mcpTools: true,
    streamingDeltas: true,
    itemStarted: true,
    sharedProcess: false,
  },
  profile: { subagents: ["model"], lacks: { hooks: "Goose has hooks in the plugins of its user only." } },
  // In `approve` it asks before every tool, whatever it does.
  permissionModes: {
    default: { sessionMode: "approve" },
    plan: { sessionMode: "approve", instructions: planInstructions },
    acceptEdits: { sessionMode: "approve" },
    bypass: { sessionMode: "auto" },
  },
  unaskedKinds: [],
  quirks,
});
