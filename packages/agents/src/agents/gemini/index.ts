import { acpAdapter } from "../../acp/acp-adapter.ts";
import { askingArgs, writeAskingPolicy } from "./asking-policy.ts";
import { endsHistory, reopenChat } from "./chat/reopen-chat.ts";
import { completeCall } from "./complete-call.ts";
import { credentialsAvailable } from "./credentials.ts";
import { prepareHome } from "./home/prepare-home.ts";
import { program } from "./program.ts";
import { quirks } from "./quirks.ts";

/** Google's Gemini CLI, over the Agent Client Protocol. */
export const adapter = acpAdapter({
  id: "gemini",
  displayName: "Gemini CLI",
  program,
  args: ["--acp"],
  env: {
    // Else it starts itself once more, with a second process of the same size.
    GEMINI_CLI_NO_RELAUNCH: "true",
    GEMINI_CLI_TRUST_WORKSPACE: "true",
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
    status: false,
    commandExecution: true,
    fileChanges: true,
    mcpTools: true,
    streamingDeltas: true,
    itemStarted: true,
    sharedProcess: false,
  },
  permissionModes: {
    default: { sessionMode: "default" },
    plan: { sessionMode: "plan" },
    acceptEdits: { sessionMode: "autoEdit" },
    bypass: { sessionMode: "yolo" },
  },
  unaskedKinds: [],
  quirks: {
    prepare: async (place) => {
      await writeAskingPolicy(place);
      return prepareHome(place);
    },
    moreArgs: askingArgs,
    credentialsAvailable,
    instructionsAreGiven: true,
    linksArePaths: true,
    beforeLoad: ({ env }, sessionId) => reopenChat(env, sessionId),
    endsReplay: endsHistory,
    complete: completeCall,
    ...quirks,
  },
});
