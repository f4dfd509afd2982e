import { expect, test } from "vitest";
import { serverConfig } from "./server-config.ts";

test("what the user says stays, and what we need is added", () => {
  const user = {
    model: "a/b",
    provider: { a: { options: { apiKey: "key" } } },
    plugin: ["theirs"],
    experimental: { batch_tool: true },
    agent: { general: { model: "a/c", permission: { bash: "deny" } }, mine: { mode: "all" } },
  };
  const config = JSON.parse(serverConfig(JSON.stringify(user)));
  expect(config).toMatchObject({
    model: "a/b",
    provider: user.provider,
    plugin: ["theirs"],
    experimental: { batch_tool: true, continue_loop_on_deny: true },
    agent: { general: { model: "a/c", permission: { "*": "ask", bash: "deny" } }, mine: { mode: "all" } },
  });
});

test("the rule for everything comes before the exceptions: the last that matches decides", () => {
  const { agent } = JSON.parse(serverConfig(undefined));
  expect(Object.keys(agent.general.permission)[0]).toBe("*");
  expect(agent.explore.permission).toEqual({ bash: "ask", webfetch: "ask", websearch: "ask" });
});

test("what is not JSON is said", () => {
  expect(() => serverConfig("{ // comment\n}")).toThrow("OPENCODE_CONFIG_CONTENT is not JSON");
});
