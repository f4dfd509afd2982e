import { expect, test } from "vitest";
import { questionData } from "../../questions/question-data.ts";
import { newClaudeState } from "./__fixtures__/recording.ts";
import { permissionAnswer, questionAnswer } from "./answers.ts";
import type { ClaudeState, OpenRequest } from "./convert/claude-state.ts";
import { convertLines } from "./convert/convert-lines.ts";

function asking(kind: "permission" | "question" | "plan", ask: OpenRequest["ask"]): ClaudeState {
  const permission = { permission_id: "r1", action: "", status: "requested" } as const;
  const asked: OpenRequest["asked"] =
    kind === "permission"
      ? { type: "permission", data: permission }
      : { type: "question", data: questionData("r1", [], kind === "plan" ? { plan: "1." } : {}) };
  const requests = new Map([["r1", { nativeId: "native", ask, asked }]]);
  return { ...newClaudeState("i"), requests };
}

const bash = { tool_name: "Bash", input: { command: "touch y" } };
const rules = [{ toolName: "Bash", ruleContent: "touch y *" }];
const offers = [
  { type: "addRules", rules, behavior: "allow", destination: "localSettings" },
  { type: "addDirectories", destination: "session" },
  { type: "setMode", mode: "acceptEdits", destination: "session" },
];
const answer = (response: object) => ({ response: { subtype: "success", request_id: "native", response } });

test("once allows and nothing is remembered", () => {
  const answered = permissionAnswer(asking("permission", { ...bash, permission_suggestions: offers }), "r1", "once");
  expect(answered?.line).toMatchObject(answer({ behavior: "allow", updatedInput: bash.input }));
  expect(JSON.stringify(answered?.line)).not.toContain("updatedPermissions");
  expect(answered?.state).toMatchObject({ allowedRules: [], requests: new Map() });
});

test("always takes only the offered rules, and keeps them here", () => {
  const answered = permissionAnswer(asking("permission", { ...bash, permission_suggestions: offers }), "r1", "always");
  expect(answered?.line).toMatchObject(answer({ behavior: "allow" }));
  expect(JSON.stringify(answered?.line)).not.toContain("updatedPermissions");
  expect(answered?.state.allowedRules).toEqual(rules);
});

test("always, where no rule is offered, covers the same use of the same tool and no other", () => {
  const write = { tool_name: "Write", input: { file_path: "/p/a", content: "x" } };
  const offered = [{ type: "setMode", mode: "acceptEdits", destination: "session" }];
  const state = permissionAnswer(asking("permission", { ...write, permission_suggestions: offered }), "r1", "always")
    ?.state as ClaudeState;
  const remembered = { status: "approved", reply: "always", resolved_by: "remembered", kind: "edit", paths: ["/p/a"] };
  expect(convertLines(state, [askLine(write)])).toMatchObject({
    drafts: [{ type: "permission.resolved", data: remembered }],
    replies: [{ type: "control_response" }],
  });
  const other = { ...write, input: { ...write.input, content: "y" } };
  expect(convertLines(state, [askLine(other)])).toMatchObject({
    drafts: [{ type: "permission.requested" }],
    replies: [],
  });
});

test("reject tells the agent not to do it", () => {
  const answered = permissionAnswer(asking("permission", bash), "r1", "reject");
  expect(answered?.line).toMatchObject(answer({ behavior: "deny", message: expect.stringContaining("rejected") }));
});

test("reject tells the agent why, in the person's words", () => {
  const answered = permissionAnswer(asking("permission", bash), "r1", "reject", "Use a temporary directory.");
  const message = "The user rejected this and said: Use a temporary directory.";
  expect(answered?.line).toMatchObject(answer({ behavior: "deny", message }));
});

test("a request that is not open is not answered", () => {
  expect(permissionAnswer(newClaudeState("i"), "r1", "once")).toBeUndefined();
  expect(questionAnswer(newClaudeState("i"), "r1", null, "default")).toBeUndefined();
});

const questions = [{ question: "Which colour?" }, { question: "Where?" }, { question: "When?" }];

test("answers are keyed by the whole question, several labels joined, what is not answered left out", () => {
  const state = asking("question", { tool_name: "AskUserQuestion", input: { questions } });
  const answered = questionAnswer(state, "r1", [["Blue"], ["Header", "Footer"], []], "default");
  const answers = { "Which colour?": "Blue", "Where?": "Header, Footer" };
  expect(answered?.line).toMatchObject(answer({ behavior: "allow", updatedInput: { questions, answers } }));
});

test("a declined question is a denied one", () => {
  const state = asking("question", { tool_name: "AskUserQuestion", input: { questions } });
  expect(questionAnswer(state, "r1", null, "default")?.line).toMatchObject(answer({ behavior: "deny" }));
});

test.each([
  ["default", undefined],
  ["plan", undefined],
  ["acceptEdits", [{ type: "setMode", mode: "acceptEdits", destination: "session" }]],
  ["bypass", [{ type: "setMode", mode: "bypassPermissions", destination: "session" }]],
] as const)("an approved plan leads from %s to its mode", (mode, updatedPermissions) => {
  const input = { plan: "1. Build." };
  const { line } = questionAnswer(asking("plan", { input }), "r1", [["Approve"]], mode) ?? {};
  const permissions = updatedPermissions ? { updatedPermissions } : {};
  expect(line).toEqual({
    type: "control_response",
    response: {
      subtype: "success",
      request_id: "native",
      response: { behavior: "allow", updatedInput: input, ...permissions },
    },
  });
});

test.each([
  [[["Reject"]], "The user rejected the plan. Do not carry it out."],
  [null, "The user rejected the plan. Do not carry it out."],
  [[["Make it taller first."]], "Make it taller first."],
])("a plan answered with %j is not carried out", (answers, message) => {
  const { line } = questionAnswer(asking("plan", { input: {} }), "r1", answers, "default") ?? {};
  expect(line).toMatchObject(answer({ behavior: "deny", message }));
});

function askLine(ask: object): string {
  return JSON.stringify({
    type: "control_request",
    request_id: "n2",
    request: { subtype: "can_use_tool", ...ask },
  });
}
