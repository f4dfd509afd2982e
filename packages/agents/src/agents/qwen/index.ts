import { hookEvents } from "@sandbox-agent-ts/protocol";
import { acpAdapter } from "../../acp/acp-adapter.ts";
import { credentials } from "./credentials.ts";
import { program } from "./program.ts";
import { quirks } from "./quirks.ts";

/** Qwen Code over ACP. */
export const adapter = acpAdapter({
  id: "qwen",
  displayName: "Qwen Code",
  program,
  credentials,
  args: ["--acp"],
  // Else it starts itself a second time, for more memory.
  env: { QWEN_CODE_NO_RELAUNCH: "true" },
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
    mcpTools: true,
    streamingDeltas: true,
    itemStarted: true,
    sharedProcess: false,
  },
  profile: { subagents: ["tools"], hooks: hookEvents },
  permissionModes: {
    default: { sessionMode: "default" },
    plan: { sessionMode: "plan" },
    // Its own `auto-edit` edits files outside of the directory, too.
    acceptEdits: { sessionMode: "default" },
    bypass: { sessionMode: "yolo" },
  },
  unaskedKinds: ["mcp"],
  quirks,
});
