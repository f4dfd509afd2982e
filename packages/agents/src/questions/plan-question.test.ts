import { expect, test } from "vitest";
import { afterPlan, approvesPlan, planFeedback, planQuestion } from "./plan-question.ts";

test("the plan is what the question is about", () => {
  expect(planQuestion("1. Look.").prompt).toBe("Carry out this plan?\n\n1. Look.");
  expect(planQuestion(undefined).prompt).toBe("Leave plan mode?");
  expect(planQuestion("", "Go on?").prompt).toBe("Go on?");
});

test.each([
  [[["Approve"]], true, "Approve"],
  [[[" approve "]], true, "approve"],
  [[["Reject"]], false, undefined],
  [[["Use Rust instead"]], false, "Use Rust instead"],
  [[[]], false, undefined],
  [null, false, undefined],
])("%j", (answers, approves, feedback) => {
  expect(approvesPlan(answers)).toBe(approves);
  expect(planFeedback(answers)).toBe(feedback);
});

test.each([
  ["build", "plan", { permission_mode: "default" }],
  ["plan", "default", { permission_mode: "default", agent_mode: "build" }],
  ["plan", "acceptEdits", { permission_mode: "acceptEdits", agent_mode: "build" }],
] as const)("after a plan in mode %s with permission mode %s", (agentMode, permissionMode, changes) => {
  expect(afterPlan({ agentMode, permissionMode })).toEqual(changes);
});
