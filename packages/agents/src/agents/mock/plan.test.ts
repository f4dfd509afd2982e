import { expect, test } from "vitest";
import { expectSound } from "../../contract/agent-contract.ts";
import { assistantText, completedItems, eventsOf, partsOf } from "../../contract/stream-readers.ts";
import { permissionsAsked, promptAndAnswer, promptAndPermit } from "./__fixtures__/ask-mock.ts";
import { openMock } from "./__fixtures__/open-mock.ts";

test("plan is a question with the plan in it, inside the call that proposes it", async () => {
  const harness = await openMock({ permissionMode: "plan" });
  const turn = harness.prompt("plan");
  const { data } = await harness.next("question.requested");
  const [status] = partsOf(harness.events, "status");
  expect(status).toMatchObject({ label: "Plan", detail: expect.stringContaining("1. ") });
  expect(data.prompt).toBe(`Carry out this plan?\n\n${status?.detail}`);
  expect(data.options).toEqual(["Approve", "Reject"]);
  expect(data).toMatchObject({ kind: "plan", plan: status?.detail });
  expect(completedItems(harness.events).filter(({ kind }) => kind === "tool_call")).toEqual([]);
  await harness.answerQuestion(data.question_id, [["Approve"]]);
  const items = completedItems((await turn).events).filter(({ kind }) => kind.startsWith("tool_"));
  expect(items.map(({ kind, status }) => [kind, status])).toEqual([
    ["tool_call", "completed"],
    ["tool_result", "completed"],
  ]);
  expectSound(harness);
});

test("approving it ends plan mode, also after the session was opened again, until the mode is changed back", async () => {
  const harness = await openMock({ permissionMode: "plan" });
  const { events } = await promptAndAnswer(harness, "plan", [["Approve"]]);
  expect(assistantText(events)).toBe("You approved the plan, so I am building.");
  const changes = eventsOf(events, "session.updated").map(({ data }) => data.changes);
  expect(changes).toEqual([{ permission_mode: "default" }]);
  expect(permissionsAsked(await promptAndPermit(harness, "edit", "once"))).toBe(1);
  await harness.reopen();
  expect(permissionsAsked(await promptAndPermit(harness, "edit", "once"))).toBe(1);
  await harness.reopen({ permissionMode: "plan" });
  expect(assistantText((await harness.prompt("edit")).events)).toContain("plan mode is read-only");
  expectSound(harness);
});

test.each([
  ["Reject", [["Reject"]]],
  ["words of one's own", [["Make it shorter"]]],
  ["no answer", [[]]],
  ["a refusal to answer", null],
])("after %s it keeps planning and plan mode stays read-only", async (_name, answers) => {
  const harness = await openMock({ permissionMode: "plan" });
  const { events } = await promptAndAnswer(harness, "plan", answers);
  expect(assistantText(events)).toBe("You did not approve it, so I keep planning.");
  await harness.reopen();
  expect(assistantText((await harness.prompt("edit")).events)).toContain("plan mode is read-only");
  expectSound(harness);
});

test("approving a plan changes no other permission mode", async () => {
  const harness = await openMock({ permissionMode: "acceptEdits" });
  await promptAndAnswer(harness, "plan", [["Approve"]]);
  expect(permissionsAsked(await harness.prompt("edit"))).toBe(0);
});
