import { acpAdapter } from "../../acp/acp-adapter.ts";
import { ignoredOf, trustsDirectory } from "../../acp/directory-trust.ts";
import type { AgentAdapter } from "../../agent.ts";
import { restoreFiles } from "../../restore/restore-files.ts";
import { writeOwnFile } from "../../settings/own-file.ts";
import { endsHistory, reopenChat } from "./chat/reopen-chat.ts";
import { completeCall } from "./complete-call.ts";
import { credentials } from "./credentials.ts";
import { directoryFiles } from "./directory-files.ts";
import { geminiDirectory } from "./home/gemini-directory.ts";
import { prepareHome } from "./home/prepare-home.ts";
import { program } from "./program.ts";
import { quirks } from "./quirks.ts";
import { policyArgs, sessionPolicy } from "./session-policy.ts";
import { writeTranscript } from "./write-transcript.ts";

const described = acpAdapter({
  id: "gemini",
  displayName: "Gemini CLI",
  program,
  credentials,
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
  profile: { subagents: ["tools", "model"], hooks: ["userPrompt", "turnEnd", "sessionEnd"] },
  permissionModes: {
    default: { sessionMode: "default" },
    plan: { sessionMode: "plan" },
    // Its own `autoEdit` is not to be had in a directory that is not trusted.
    acceptEdits: { sessionMode: "default" },
    bypass: { sessionMode: "yolo" },
  },
  unaskedKinds: [],
  quirks: {
    prepare: async (place) => {
      const trusts = await trustsDirectory(directoryFiles, place);
      await writeOwnFile(sessionPolicy(place));
      return { ...(await prepareHome(place)), GEMINI_CLI_TRUST_WORKSPACE: `${trusts}` };
    },
    ignoredSettings: (place) => ignoredOf(directoryFiles, place),
    moreArgs: policyArgs,
    instructionsAreGiven: true,
    linksArePaths: true,
    beforeLoad: ({ env }, sessionId) => reopenChat(env, sessionId),
    endsReplay: endsHistory,
    complete: completeCall,
    ...quirks,
  },
});

/** Google's Gemini CLI, over the Agent Client Protocol. */
export const adapter: AgentAdapter = {
  ...described,
  restore(options) {
    const root = geminiDirectory({ ...options.host.env, ...options.session.env });
    return restoreFiles(options, writeTranscript, { root, folder: "tmp" });
  },
};
