import { acpAdapter } from "../../acp/acp-adapter.ts";
import { credentialsAvailable } from "../opencode/credentials.ts";
import { program } from "../opencode/program.ts";
import { askingConfig } from "./asking-config.ts";

/** OpenCode over ACP, which every editor can speak; the agent `opencode` drives its server and can more. */
export const adapter = acpAdapter({
  id: "opencode-acp",
  displayName: "OpenCode (ACP)",
  program,
  args: ["acp"],
  // What reaches for the network unasked is off.
  env: {
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
  },
  capabilities: {
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
  },
  permissionModes: {
    default: { sessionMode: "build" },
    plan: { sessionMode: "plan" },
    acceptEdits: { sessionMode: "build" },
    bypass: { sessionMode: "build" },
  },
  quirks: {
    credentialsAvailable,
    // Without being told to it asks for nothing. The permission mode then decides what a person is really asked.
    prepare: async ({ env }) => ({ OPENCODE_CONFIG_CONTENT: askingConfig(env.OPENCODE_CONFIG_CONTENT) }),
  },
});
