import type { Skipped } from "../../contract/agent-scenario.ts";

/** Why no agent of the protocol can tell its model what a person said with a rejection. */
export const noReasons: Skipped = {
  skip: "the Agent Client Protocol has no field for a reason, which then stands in the log only",
};
