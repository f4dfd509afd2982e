import type { AcpQuirks } from "../../acp/acp-agent.ts";
import { whyNotPlan } from "./allowed-tools.ts";
import { describeTool } from "./describe-tool.ts";
import { readFailure } from "./read-failure.ts";
import { ignoredPlugins, withoutRepositoryPlugins } from "./repository-plugins.ts";
import { retryLog } from "./retry-log.ts";
import { rewriteUpdate } from "./rewrite-update.ts";
import { subagentRecipes } from "./subagent-recipes.ts";

export const quirks: AcpQuirks = {
  prepare: async (place) => ({
    ...(place.session.model === undefined ? {} : { GOOSE_MODEL: place.session.model }),
    ...(await withoutRepositoryPlugins(place)),
    ...(await subagentRecipes(place)),
  }),
  ignoredSettings: ignoredPlugins,
  whyNotPlan,
  modelIsGiven: "atFirst",
  // Only then it tells how it changed a file.
  offers: { files: true },
  // Only then it tells the tokens of each request to its model.
  clientMeta: { goose: { customNotifications: true } },
  updateMethod: "_goose/unstable/session/update",
  describeTool,
  // Its subagents ask nobody, whatever its mode.
  actsUnasked: (call) => describeTool(call).name === "delegate",
  countsTokens: "byRequest",
  rewriteUpdate,
  readFailure,
  retryLog,
};
