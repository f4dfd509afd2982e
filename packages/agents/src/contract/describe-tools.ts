import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import { describe, expect } from "vitest";
import { type AgentContract, expectSound, promptWith } from "./agent-contract.ts";
import type { AgentHarness, HarnessTurn } from "./agent-harness.ts";
import type { ProvokingMessage } from "./agent-scenario.ts";
import { expectLeft, expectModelSaw, expectProvoked, expectUntouched } from "./expect-provoked.ts";
import type { FeatureName } from "./features.ts";
import { completedItems, partsOf, toolOutputs } from "./stream-readers.ts";

const ofSession = /\/images\/[0-9a-f]{16}\/[^/]+$/;

type Shown = (turn: HarnessTurn, harness: AgentHarness, by: ProvokingMessage) => void;

/** How a tool's use is recognised in the turn that made it. */
const shown = {
  toolCall: expectAnsweredCall,
  parallelTools: expectAnsweredCall,
  command: expectAnsweredCall,
  failedCommand: expectFailedResult,
  killedCommand: expectFailedResult,
  longOutput: ({ events }) => {
    expect(toolOutputs(events).join("\n")).toMatch(/the very (1st|40002nd) line/);
  },
  hugeOutput: () => {},
  fileWrite: expectFileRefs,
  fileEdit: (turn, harness, by) => {
    expectFileRefs(turn, harness, by);
    const diffs = partsOf(turn.events, "file_ref").flatMap(({ diff }) => (diff ? [diff] : []));
    expect(diffs.join("\n")).toMatch(/^-(?!--)/m);
    expect(diffs.join("\n")).toMatch(/^\+(?!\+\+)/m);
  },
  image: ({ events }, harness) => {
    const paths = partsOf(events, "image").map(({ path }) => resolve(harness.directory, path));
    expect(paths).not.toEqual([]);
    expect(paths.filter((path) => !existsSync(path))).toEqual([]);
    const kept = paths.filter((path) => path.includes("/images/"));
    expect(
      kept.filter((path) => !ofSession.test(path)),
      "a folder that goes with the session",
    ).toEqual([]);
  },
  subagent: ({ events }) => {
    const calls = new Set(completedItems(events).map(({ item_id }) => item_id));
    const children = completedItems(events).filter(({ parent_id }) => parent_id);
    expect(children).not.toEqual([]);
    expect(children.filter(({ parent_id }) => !calls.has(parent_id!))).toEqual([]);
  },
  mcpTool: expectAnsweredCall,
  mcpFailure: ({ events }) => {
    const told = partsOf(events, "status").filter((status) => JSON.stringify(status).includes("broken"));
    expect(told).toMatchObject([{ label: "MCP server broken failed" }]);
  },
  skill: () => {},
} as const satisfies Partial<Record<FeatureName, Shown>>;

/** Tools the agent uses without asking. */
export function describeTools(contract: AgentContract): void {
  describe("uses tools and", () => {
    for (const name of Object.keys(shown) as (keyof typeof shown)[]) {
      contract.feature(name, async (by) => {
        const harness = await contract.open(by);
        const turn = await promptWith(harness, by);
        expectProvoked(turn, by);
        await expectLeft(harness, by);
        await expectUntouched(harness, by);
        if (by.modelSees !== undefined) expectModelSaw(contract.world.model, by.message, by.modelSees);
        (shown[name] as Shown)(turn, harness, by);
        expectSound(harness);
      });
    }
  });
}

function expectFailedResult({ events }: HarnessTurn): void {
  const failed = completedItems(events).filter(({ kind, status }) => kind === "tool_result" && status === "failed");
  expect(failed).not.toEqual([]);
}

function expectAnsweredCall({ events }: HarnessTurn): void {
  expect(toolOutputs(events)).not.toEqual([]);
  for (const call of partsOf(events, "tool_call")) expect(() => JSON.parse(call.arguments)).not.toThrow();
}

function expectFileRefs({ events }: HarnessTurn, _harness: AgentHarness, { leaves = {} }: ProvokingMessage): void {
  const changes = partsOf(events, "file_ref").filter(({ action }) => action !== "read");
  expect(changes).not.toEqual([]);
  const names = changes.map(({ path }) => basename(path));
  for (const file of Object.keys(leaves)) expect(names).toContain(basename(file));
}
