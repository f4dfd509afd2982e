import { readdir } from "node:fs/promises";
import { AgentCapabilities } from "@sandbox-agent/protocol";
import { expect, test } from "vitest";
import { agentModules } from "./registry.gen.ts";
import { loadAgents } from "./registry.ts";

test("every folder in agents/ is an agent, and nothing else is", async () => {
  const entries = await readdir(new URL("./agents/", import.meta.url), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  expect(Object.keys(agentModules).sort()).toEqual(folders.sort());
});

test("an agent has the name of its folder", async () => {
  const agents = await loadAgents();
  expect(agents.map(({ id }) => id)).toEqual(Object.keys(agentModules));
});

test("an agent says yes or no to each capability, and to no other", async () => {
  for (const { id, capabilities } of await loadAgents()) {
    expect(AgentCapabilities.strict().safeParse(capabilities).error, id).toBeUndefined();
  }
});
