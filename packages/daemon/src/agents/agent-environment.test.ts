import { expect, test } from "vitest";
import { agentEnvironment } from "./agent-environment.ts";

test("agents get the daemon's environment, but not what concerns it alone and not the configuration of other agents", () => {
  const env = {
    SANDBOX_AGENT_TOKEN: "other",
    SANDBOX_AGENT_RESTART_REASON: "It was ended.",
    COPY: "token",
    SANDBOX_AGENT_ACP_AGENTS: '[{"id":"x","command":"x","env":{"KEY":"secret"}}]',
    KEPT: "yes",
    ABSENT: undefined,
  };
  expect(agentEnvironment(env, "token")).toEqual({ KEPT: "yes" });
});
