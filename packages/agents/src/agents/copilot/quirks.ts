import type { AcpQuirks } from "../../acp/acp-agent.ts";
import { completeCall } from "./complete-call.ts";
import { hasCredentials } from "./credentials.ts";
import { describeRequest, describeTool } from "./describe-tool.ts";
import { readFailure, readRetry } from "./own-words.ts";
import { retryLog } from "./retry-log.ts";
import { rewriteUpdate } from "./rewrite-update.ts";
import { mcpArgs, writeSessionFiles } from "./session-files.ts";

export const quirks: AcpQuirks = {
  prepare: async (place) => ({
    ...(place.session.model === undefined ? {} : { COPILOT_MODEL: place.session.model }),
    ...(await writeSessionFiles(place)),
  }),
  moreArgs: mcpArgs,
  modelIsGiven: "atFirst",
  ownModel: ({ COPILOT_MODEL }) => COPILOT_MODEL,
  instructionsAreGiven: true,
  credentialsAvailable: hasCredentials,
  describeTool,
  rewriteUpdate,
  rewriteRequest: describeRequest,
  complete: completeCall,
  countsTokens: "sinceOpened",
  readRetry,
  readFailure,
  retryLog,
};
