import { expect, test } from "vitest";
import { agentName, readModes, requireAgent } from "./modes.ts";

const agents = [
  { name: "build", mode: "primary", description: "The default agent." },
  { name: "plan", mode: "primary" },
  { name: "reviewer", mode: "all" },
  { name: "general", mode: "subagent" },
  { name: "title", mode: "primary", hidden: true },
];

test("modes are the agents a person may talk to", () => {
  expect(readModes(agents)).toEqual([
    { id: "build", name: "Build", description: "The default agent." },
    { id: "plan", name: "Plan", description: "" },
    { id: "reviewer", name: "Reviewer", description: "" },
  ]);
});

test.each(["general", "title", "nobody"])("a session cannot be one of %s", (name) => {
  expect(() => requireAgent(agents, name)).toThrow(/no agent .* Choose one of: build, plan, reviewer\./);
});

test("who may only plan is the agent that plans, unless another one is named", () => {
  expect(agentName({ agentMode: "build", permissionMode: "plan" })).toBe("plan");
  expect(agentName({ agentMode: "reviewer", permissionMode: "plan" })).toBe("reviewer");
  expect(agentName({ agentMode: "plan", permissionMode: "bypass" })).toBe("plan");
});
