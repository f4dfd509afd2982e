import type { AcpQuirks } from "../../acp/acp-agent.ts";
import { ignoredOf, trustsDirectory } from "../../acp/directory-trust.ts";
import { completeCall } from "./complete-call.ts";
import { describeTool, nameRequestedTool } from "./describe-tool.ts";
import { directoryFiles } from "./directory-files.ts";
import { readQuestions, tellAnswers } from "./questions.ts";
import { retryLog } from "./retry-log.ts";
import { rewriteUpdate } from "./rewrite-update.ts";
import { sessionHome } from "./session-home.ts";
import { systemSettings } from "./system-settings.ts";
import { conversationWritten } from "./written-conversation.ts";

export const quirks: AcpQuirks = {
  prepare: async (place) => ({
    ...(place.session.model === undefined ? {} : { OPENAI_MODEL: place.session.model }),
    ...(await systemSettings(place, await trustsDirectory(directoryFiles, place))),
    ...(await sessionHome(place)),
  }),
  ignoredSettings: (place) => ignoredOf(directoryFiles, place),
  modelIsGiven: "always",
  // With a key in the environment it has to be told so; else it goes by its own settings.
  signIn: (_initialized, env) => (env.OPENAI_API_KEY ? "openai" : undefined),
  // What stood before a message as context is gone when the conversation is loaded.
  instructionArgs: (instructions) => ["--append-system-prompt", instructions],
  linksArePaths: true,
  forgetsAttachments: true,
  // It offers to resume, and does not know how.
  reopensBy: "load",
  written: ({ env }, nativeSessionId, since) => conversationWritten(env, nativeSessionId, since),
  describeTool,
  rewriteUpdate,
  rewriteRequest: nameRequestedTool,
  complete: completeCall,
  readQuestions,
  tellAnswers,
  countsTokens: "byRequest",
  retryLog,
};
