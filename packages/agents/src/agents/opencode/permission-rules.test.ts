import type { PermissionMode } from "@sandbox-agent-ts/protocol";
import { describe, expect, test } from "vitest";
import type { PermissionRule } from "./dialect.ts";
import { askedSubagents, decide, sessionRules, toldRules } from "./permission-rules.ts";

const allow = (permission: string, pattern = "*"): PermissionRule => ({ permission, pattern, action: "allow" });
const ask = (permission: string, pattern = "*"): PermissionRule => ({ permission, pattern, action: "ask" });
const deny = (permission: string, pattern = "*"): PermissionRule => ({ permission, pattern, action: "deny" });

/** As the real program tells them, in its order. */
const builtin = [
  allow("*"),
  ask("external_directory"),
  allow("external_directory", "/home/user/.local/share/opencode/tool-output/*"),
  deny("question"),
  deny("plan_exit"),
  ask("read", "*.env"),
];
const build = [...builtin, allow("question")];
const plan = [...build, allow("plan_exit"), deny("edit"), allow("edit", ".opencode/plans/*.md")];

function decided(mode: PermissionMode, own: readonly PermissionRule[], permission: string, ...patterns: string[]) {
  return decide(sessionRules(mode, own), { permission, patterns });
}

test.each([
  ["default", "bash", "ask"],
  ["default", "edit", "ask"],
  ["default", "webfetch", "ask"],
  ["default", "server_tool", "ask"],
  ["default", "read", "allow"],
  ["default", "question", "allow"],
  ["acceptEdits", "edit", "allow"],
  ["acceptEdits", "bash", "ask"],
  ["acceptEdits", "external_directory", "ask"],
  ["bypass", "bash", "allow"],
  ["bypass", "server_tool", "allow"],
  ["bypass", "external_directory", "allow"],
  ["plan", "bash", "ask"],
  ["plan", "edit", "deny"],
] as const)("in mode %s %s is: %s", (mode, permission, action) => {
  expect(decided(mode, mode === "plan" ? plan : build, permission, "x")).toBe(action);
});

test("a plan may be written in every mode, and nothing else in mode plan", () => {
  expect(decided("plan", plan, "edit", ".opencode/plans/1-a.md")).toBe("allow");
  expect(decided("plan", plan, "plan_exit", "*")).toBe("allow");
  expect(decided("plan", [...plan, allow("edit", "src/*")], "edit", "src/a.ts")).toBe("deny");
  expect(decided("plan", [...build, allow("edit")], "edit", "a.ts")).toBe("deny");
});

describe("what the user's own config says in particular", () => {
  const own = [...build, allow("bash", "git *"), deny("bash", "rm *"), ask("edit", "secret/*")];

  test.each([
    ["default", "git status", "allow"],
    ["default", "rm -r x", "deny"],
    ["bypass", "rm -r x", "deny"],
  ] as const)("stays: in mode %s `%s` is: %s", (mode, command, action) => {
    expect(decided(mode, own, "bash", command)).toBe(action);
  });

  test("stays where edits are accepted", () => {
    expect(decided("acceptEdits", own, "edit", "secret/key")).toBe("ask");
    expect(decided("acceptEdits", own, "edit", "other/key")).toBe("allow");
  });

  test("OpenCode is told to ask about edits where they are accepted, for somebody has to look where they lead", () => {
    const told = toldRules(sessionRules("acceptEdits", own));
    expect(decide(told, { permission: "edit", patterns: ["other/key"] })).toBe("ask");
    expect(toldRules(sessionRules("bypass", own))).toEqual(sessionRules("bypass", own));
  });

  test("is not what it allows to everybody", () => {
    expect(decided("default", [...build, allow("bash"), allow("*")], "bash", "ls")).toBe("ask");
  });
});

test("OpenCode's own exceptions stay, and the folders of skills may be read", () => {
  const rules = sessionRules("default", build, undefined, { readable: ["/skills/light"] });
  const outside = (pattern: string) => decide(rules, { permission: "external_directory", patterns: [pattern] });
  expect(outside("/home/user/.local/share/opencode/tool-output/*")).toBe("allow");
  expect(outside("/skills/light/*")).toBe("allow");
  expect(outside("/etc/*")).toBe("ask");
  expect(decide(rules, { permission: "read", patterns: [".env"] })).toBe("ask");
});

test("while planning nobody allows more than to look, and what is forbidden stays so", () => {
  const own = [...plan, allow("*"), allow("bash"), allow("bash", "git *"), allow("edit", "docs/*"), allow("b?sh")];
  const generous = [...own, allow("task"), allow("server_*"), allow("read", "*.env"), deny("bash", "rm *")];
  const inPlan = (permission: string, pattern: string) => decided("plan", generous, permission, pattern);
  expect([inPlan("bash", "git status"), inPlan("bash", "ls"), inPlan("server_tool", "*")]).toEqual([
    "ask",
    "ask",
    "ask",
  ]);
  expect([inPlan("edit", "docs/a.md"), inPlan("edit", "src/plans/a.md"), inPlan("bash", "rm x")]).toEqual(
    Array(3).fill("deny"),
  );
  expect([inPlan("read", "a.env"), inPlan("task", "reviewer")]).toEqual(["allow", "ask"]);
});

test("OpenCode is told to ask about edits while planning, for the plan may be approved in the middle of a turn", () => {
  const told = toldRules(sessionRules("plan", plan), true);
  expect(decide(told, { permission: "edit", patterns: ["a.ts"] })).toBe("ask");
  expect(decide(told, { permission: "edit", patterns: [".opencode/plans/a.md"] })).toBe("allow");
});

test("only known subagents start unasked", () => {
  expect(decided("default", build, "task", "general")).toBe("allow");
  expect(decided("default", build, "task", "reviewer")).toBe("ask");
});

test("a subagent that may act is asked about before it starts while planning, unless it may not start at all", () => {
  const looks = [allow("*"), deny("*"), allow("grep"), allow("bash"), ask("bash")];
  const rules = sessionRules("plan", [...plan, deny("task", "general")]);
  const asked = (permission: PermissionRule[], name = "explore") => askedSubagents(rules, [{ name, permission }]);
  expect(asked(looks)).toEqual([]);
  expect(asked([...looks, allow("edit", "*.txt")])).toEqual([ask("task", "explore")]);
  expect(asked([allow("*")], "general")).toEqual([]);
});

test("of several patterns the strictest decides, and none is asked about", () => {
  const rules = [ask("*"), allow("bash", "ls *"), deny("bash", "rm *")];
  expect(decide(rules, { permission: "bash", patterns: ["ls -l", "pwd"] })).toBe("ask");
  expect(decide(rules, { permission: "bash", patterns: ["ls", "rm x"] })).toBe("deny");
  expect(decide(rules, { permission: "bash", patterns: ["ls"] })).toBe("allow");
  expect(decide(rules, { permission: "bash", patterns: [] })).toBe("ask");
  expect(decide([], { permission: "bash", patterns: ["ls"] })).toBe("ask");
});

test("patterns are no regular expressions", () => {
  const rules = [ask("*"), allow("bash", "a.b (c) [d]?")];
  expect(decide(rules, { permission: "bash", patterns: ["a.b (c) [d]!"] })).toBe("allow");
  expect(decide(rules, { permission: "bash", patterns: ["axb (c) [d]!"] })).toBe("ask");
});
