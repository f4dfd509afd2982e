import { profileEntities } from "@sandbox-agent-ts/protocol";
import { expect, test } from "vitest";
import type { AgentAdapter, ProfileCapabilities } from "../agent.ts";
import { profileWithEverything } from "../contract/profile-fixture.ts";
import { profileLosses } from "./profile-losses.ts";
import { profileSupport } from "./profile-support.ts";

function agent(profile?: ProfileCapabilities, mcpTools = true): AgentAdapter {
  return { displayName: "Aga", capabilities: { mcpTools }, ...(profile ? { profile } : {}) } as AgentAdapter;
}

const everything = profileWithEverything("/nowhere");

test("an agent that says nothing has no subagents and no hooks", () => {
  expect(profileLosses(agent(), everything)).toEqual([
    { entity: "subagents", reason: "Aga is not known to take subagents of a profile." },
    { entity: "hooks", reason: "Aga is not known to take hooks of a profile." },
  ]);
});

test("every part is either taken or lost", () => {
  for (const given of [agent(), agent({ lacks: { skills: "No.", env: "No." } }, false), agent({ subagents: [] })]) {
    const lost = profileLosses(given, everything).map(({ entity }) => entity);
    expect([...profileSupport(given).takes, ...lost].sort()).toEqual([...profileEntities].sort());
  }
});

test("what was not given is not lost", () => {
  expect(profileLosses(agent(), { systemPrompt: "x", hooks: [], subagents: {} })).toEqual([]);
});

test("of hooks and subagents, what is not taken of them is named", () => {
  const given = agent({ subagents: ["model"], hooks: ["beforeTool"] });
  const profile = {
    hooks: [
      { event: "beforeTool", command: "x" },
      { event: "turnEnd", command: "x" },
      { event: "turnEnd", command: "y" },
    ] as const,
    subagents: { one: { description: "d", prompt: "p", model: "m", tools: ["Read"] } },
  };
  expect(profileLosses(given, { ...profile, hooks: [...profile.hooks] })).toEqual([
    { entity: "hooks", name: "turnEnd", reason: "Aga has no hooks for turnEnd." },
    { entity: "subagents", name: "one", reason: "Aga takes no tools for a subagent: it has those of the session." },
  ]);
});
