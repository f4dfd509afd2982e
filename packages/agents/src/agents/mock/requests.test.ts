import type { PermissionMode } from "@sandbox-agent-ts/protocol";
import { expect, test } from "vitest";
import { expectSound } from "../../contract/agent-contract.ts";
import { assistantText, completedItems, eventsOf } from "../../contract/stream-readers.ts";
import { permissionsAsked, promptAndAnswer, promptAndPermit } from "./__fixtures__/ask-mock.ts";
import { openMock } from "./__fixtures__/open-mock.ts";

test.each([
  ["once", "I removed the build folder: you allowed it this once.", "completed"],
  ["always", "I removed the build folder: you allowed it, now and always.", "completed"],
  ["reject", "I left the build folder alone: you rejected it.", "failed"],
] as const)("permission goes on its own way after %s", async (reply, text, status) => {
  const harness = await openMock();
  const { outcome, events } = await promptAndPermit(harness, "permission", reply);
  expect(outcome.reason).toBe("completed");
  expect(assistantText(events)).toBe(text);
  const tools = completedItems(events).filter(({ kind }) => kind === "tool_call" || kind === "tool_result");
  expect(tools.map((item) => item.status)).toEqual([status, status]);
  expectSound(harness);
});

test("a rejection's words are heard", async () => {
  const harness = await openMock();
  const turn = harness.prompt("permission");
  const { data } = await harness.next("permission.requested");
  await harness.answerPermission(data.permission_id, "reject", "It is still needed.");
  expect(assistantText((await turn).events)).toContain("you rejected it: It is still needed.");
  expectSound(harness);
});

test("permission waits inside its tool call, and says which tool with which input", async () => {
  const harness = await openMock();
  const turn = harness.prompt("permission");
  const { data } = await harness.next("permission.requested");
  expect(data).toMatchObject({
    action: "Run the command rm -r build",
    kind: "execute",
    command: "rm -r build",
    cwd: harness.directory,
    paths: [],
    metadata: { tool: "Bash", input: { command: "rm -r build" } },
  });
  expect(harness.events.at(-1)?.type).toBe("permission.requested");
  await harness.answerPermission(data.permission_id, "once");
  await turn;
});

test.each([
  ["run npm test", "npm test", "It printed: (the mock runs nothing)"],
  ["Run the command `echo two words`, please.", "echo two words", "It printed: two words"],
])("%s asks for exactly that command", async (message, command, text) => {
  const harness = await openMock();
  const turn = harness.prompt(message);
  const { data } = await harness.next("permission.requested");
  expect(data.metadata).toEqual({ tool: "Bash", input: { command } });
  await harness.answerPermission(data.permission_id, "once");
  expect(assistantText((await turn).events)).toBe(text);
  expectSound(harness);
});

test("what is always allowed is not asked again, what was allowed once is", async () => {
  const harness = await openMock();
  expect(permissionsAsked(await promptAndPermit(harness, "permission", "once"))).toBe(1);
  expect(permissionsAsked(await promptAndPermit(harness, "permission", "always"))).toBe(1);
  const third = await harness.prompt("permission");
  expect(permissionsAsked(third)).toBe(0);
  const [passed, ...rest] = eventsOf(third.events, "permission.resolved");
  expect(rest).toEqual([]);
  expect(passed?.data).toMatchObject({
    status: "approved",
    reply: "always",
    resolved_by: "remembered",
    kind: "execute",
  });
  expect(assistantText(third.events)).toContain("you always allow this command");
  expectSound(harness);
});

test("always holds in its session alone, also after it was opened again", async () => {
  const [one, two] = [await openMock(), await openMock()];
  await promptAndPermit(one, "permission", "always");
  expect(permissionsAsked(await promptAndPermit(two, "permission", "once"))).toBe(1);
  await one.reopen();
  expect(permissionsAsked(await one.prompt("permission"))).toBe(0);
  await two.reopen();
  expect(permissionsAsked(await promptAndPermit(two, "permission", "once"))).toBe(1);
});

test.each<[PermissionMode, string]>([
  ["bypass", "I removed the build folder: nothing needs permission in bypass mode."],
  ["plan", "I left the build folder alone: plan mode is read-only."],
])("in %s mode permission is decided without asking", async (permissionMode, text) => {
  const harness = await openMock({ permissionMode });
  const turn = await harness.prompt("permission");
  expect(permissionsAsked(turn)).toBe(0);
  expect(assistantText(turn.events)).toBe(text);
  expectSound(harness);
});

test("in acceptEdits mode a command still asks", async () => {
  const harness = await openMock({ permissionMode: "acceptEdits" });
  expect(permissionsAsked(await promptAndPermit(harness, "permission", "once"))).toBe(1);
});

test("question is one request with two questions, the second with several answers", async () => {
  const harness = await openMock();
  const turn = harness.prompt("question");
  const { data } = await harness.next("question.requested");
  expect(data.questions?.map(({ multi_select }) => multi_select)).toEqual([false, true]);
  await harness.answerQuestion(data.question_id, [["Red"], ["Header", "Footer"]]);
  expect(assistantText((await turn).events)).toBe("You chose\nColour: Red\nPlaces: Header, Footer");
  expectSound(harness);
});

test("question goes on with too few answers and with none", async () => {
  const harness = await openMock();
  const few = await promptAndAnswer(harness, "question", [["Blue"]]);
  expect(assistantText(few.events)).toBe("You chose\nColour: Blue\nPlaces: no answer");
  const none = await promptAndAnswer(harness, "question", null);
  expect(assistantText(none.events)).toBe("You declined to answer, so I decide nothing.");
  expectSound(harness);
});

test("demo shows everything but the end, and waits for both answers", async () => {
  const harness = await openMock();
  const demo = harness.prompt("demo");
  const { data: permission } = await harness.next("permission.requested");
  await harness.answerPermission(permission.permission_id, "once");
  const { data: question } = await harness.next("question.requested");
  await harness.answerQuestion(question.question_id, [["Blue"], []]);
  const { outcome, events } = await demo;
  expect(outcome.reason).toBe("completed");
  expect(outcome.sessionEnded).toBeUndefined();
  const kinds = new Set(completedItems(events).map(({ kind }) => kind));
  expect(kinds).toEqual(new Set(["message", "tool_call", "tool_result", "status", "unknown"]));
  const parts = new Set(completedItems(events).flatMap(({ content }) => content.map(({ type }) => type)));
  const all = ["text", "json", "tool_call", "tool_result", "file_ref", "reasoning", "image", "status"];
  expect([...parts].sort()).toEqual(all.sort());
  const types = events.map(({ type }) => type);
  expect(types).toEqual(expect.arrayContaining(["error", "agent.unparsed"]));
  expectSound(harness, { unparsed: true });
});
