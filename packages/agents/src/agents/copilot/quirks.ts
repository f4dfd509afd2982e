import type { AcpQuirks } from "../../acp/acp-agent.ts";
import { completeCall } from "./complete-call.ts";
import { describeRequest, describeTool } from "./describe-tool.ts";
import { readFailure, readRetry } from "./own-words.ts";
import { ignoredLanguageServers, languageServerArgs, refuseRepositoryHooks } from "./repository-programs.ts";
import { retryLog } from "./retry-log.ts";
import { rewriteUpdate } from "./rewrite-update.ts";
import { mcpArgs, writeSessionFiles } from "./session-files.ts";
import { pluginArgs, writeSessionPlugin } from "./session-plugin.ts";

export const quirks: AcpQuirks = {
  prepare: async (place) => {
    await refuseRepositoryHooks(place);
    await writeSessionPlugin(place);
    return {
      // What is asked is decided by the session, not by the environment of the daemon.
      COPILOT_ALLOW_ALL: "false",
      ...(place.session.model === undefined ? {} : { COPILOT_MODEL: place.session.model }),
      ...(await writeSessionFiles(place)),
    };
  },
  moreArgs: async (place) => [...mcpArgs(place), ...pluginArgs(place), ...(await languageServerArgs(place))],
  ignoredSettings: ignoredLanguageServers,
  modelIsGiven: "atFirst",
  ownModel: ({ COPILOT_MODEL }) => COPILOT_MODEL,
  instructionsAreGiven: true,
  describeTool,
  rewriteUpdate,
  rewriteRequest: describeRequest,
  complete: completeCall,
  countsTokens: "sinceOpened",
  readRetry,
  readFailure,
  retryLog,
};
