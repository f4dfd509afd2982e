import type { AcpQuirks } from "../../acp/acp-agent.ts";
import { hasCredentials } from "./credentials.ts";
import { describeTool } from "./describe-tool.ts";
import { readFailure } from "./read-failure.ts";
import { retryLog } from "./retry-log.ts";
import { rewriteUpdate } from "./rewrite-update.ts";

export const quirks: AcpQuirks = {
  prepare: async ({ session }) => (session.model === undefined ? {} : { GOOSE_MODEL: session.model }),
  modelIsGiven: "atFirst",
  credentialsAvailable: hasCredentials,
  // Only then it tells how it changed a file.
  offers: { files: true },
  describeTool,
  // Its subagents ask nobody, whatever its mode.
  actsUnasked: (call) => describeTool(call).name === "delegate",
  countsTokens: "lastRequest",
  rewriteUpdate,
  readFailure,
  retryLog,
};
