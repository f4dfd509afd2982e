/** Feared: an agent that cannot work although the machine has the key, or a key that the daemon tells everybody. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { AgentAdapter, AgentHost } from "@sandbox-agent-ts/agents";
import type { AgentInfo } from "@sandbox-agent-ts/protocol";
import { expect, test } from "vitest";
import { stubAgent } from "../__fixtures__/stub-agent.ts";
import { temporaryDirectory } from "../__fixtures__/temporary-directory.ts";
import { startTestDaemon } from "../__fixtures__/test-daemon.ts";

const key = "sk-of-another-agent-0123456789";

async function startWith(isSignedIn: boolean, env: Record<string, string> = {}) {
  const home = temporaryDirectory();
  const file = join(home, ".local/share/opencode/auth.json");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ xai: { type: "api", key } }));
  const opened: AgentHost["env"][] = [];
  const agent: AgentAdapter = {
    ...stubAgent("needy", {}, { prompt: async () => ({ reason: "error", message: `Wrong key ${key}` }) }),
    probe: async () => ({ installed: true, credentialsAvailable: isSignedIn }),
    credentials: { find: async () => [], wants: async () => [{ name: "XAI_API_KEY" }] },
  };
  const { open } = agent;
  agent.open = (options) => {
    opened.push(options.host.env);
    return open(options);
  };
  const { client } = await startTestDaemon({ extraAgents: [agent], env: { HOME: home, ...env } });
  const { agents } = (await client.call("GET", "/v1/agents")).json<{ agents: AgentInfo[] }>();
  await client.create("s", { agent: "needy" });
  return { client, opened, isSignedIn: agents.find(({ id }) => id === "needy")?.credentialsAvailable };
}

test("an agent without a sign-in gets the key that another agent has, and nobody reads it", async () => {
  const { client, opened, isSignedIn } = await startWith(false);
  expect(isSignedIn).toBe(true);
  expect(opened).toMatchObject([{ XAI_API_KEY: key }]);
  expect(JSON.stringify(await client.turn("s", "hello"))).toContain("Wrong key [redacted]");
});

test.each([
  ["one that is signed in", true, {}],
  ["one on a machine where it is switched off", false, { SANDBOX_AGENT_NO_SHARED_KEYS: "1" }],
])("%s gets none", async (_who, signedIn, env) => {
  const { opened, isSignedIn } = await startWith(signedIn, env);
  expect(isSignedIn).toBe(signedIn);
  expect(opened).toHaveLength(1);
  expect(opened[0]).not.toHaveProperty("XAI_API_KEY");
});
