import { expect, test } from "vitest";
import type { Skipped } from "../agent-scenario.ts";
import { featureNames } from "../features.ts";
import { ambiguousMessages, scriptOf } from "../script-of.ts";
import { scriptedFeatures } from "./scripted-features.ts";
import type { ScriptedTools } from "./scripted-tools.ts";

type Fake<T> = Record<keyof T, unknown>;
const call = (name: string) => () => [{ toolCalls: [{ name }] }];
const skip: Skipped = { skip: "it has none" };
const names = [
  "shell",
  "shellThatAsks",
  "readFile",
  "writeFile",
  "editFile",
  "deleteFile",
  "moveFile",
  "fetchPage",
  "showImage",
  "ask",
  "proposePlan",
  "noteTodos",
  "startSubagent",
  "startNamedSubagent",
  "callMcpTool",
];
const runsHooks = true;
const permissiveSettings = { user: { a: "1" }, repository: { b: "2" } };
const all = { ...Object.fromEntries(names.map((name) => [name, call(name)])), permissiveSettings, runsHooks };
const tools = all as Fake<ScriptedTools> as ScriptedTools;
const missing = [...names, "permissiveSettings", "runsHooks"].map((name) => [name, skip]);
const none = Object.fromEntries(missing) as Fake<ScriptedTools> as ScriptedTools;

test("an agent with all tools has a script for every feature, and no message stands in another one", () => {
  const provoke = { ...scriptedFeatures(tools, "other"), sessionEnd: skip };
  expect(Object.keys(provoke).sort()).toEqual([...featureNames].sort());
  const unscripted = Object.entries(provoke).filter(([, by]) => !("skip" in by) && !by.script?.length);
  // Those of profiles share the script of the first.
  expect(unscripted.map(([name]) => name).filter((name) => !name.startsWith("profile"))).toEqual([]);
  expect(ambiguousMessages(scriptOf({ provoke }))).toEqual([]);
});

test("a tool that is not there takes its features with it, and gives them its reason", () => {
  const provoke = scriptedFeatures(none, "other");
  expect(provoke.command).toEqual(skip);
  expect(provoke.planApprove).toEqual(skip);
  expect(provoke.text).not.toHaveProperty("skip");
});

test("a message that stands in another one is found", () => {
  const conversation = (prompt: string) => ({ name: prompt, when: { prompt }, steps: [{ text: "x" }] });
  expect(ambiguousMessages({ conversations: [conversation("Count."), conversation("Please: Count.")] })).toEqual([
    "Count.",
  ]);
});
