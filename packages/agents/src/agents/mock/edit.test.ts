import { join } from "node:path";
import type { PermissionMode } from "@sandbox-agent-ts/protocol";
import { expect, test } from "vitest";
import { expectSound } from "../../contract/agent-contract.ts";
import { assistantText, partsOf } from "../../contract/stream-readers.ts";
import { permissionsAsked, promptAndPermit } from "./__fixtures__/ask-mock.ts";
import { openMock } from "./__fixtures__/open-mock.ts";

test("edit waits inside its tool call, and shows the change it asks for", async () => {
  const harness = await openMock();
  const turn = harness.prompt("edit");
  const { data } = await harness.next("permission.requested");
  expect(data).toMatchObject({
    action: "Edit the file src/greeting.ts",
    kind: "edit",
    tool: "Edit",
    paths: [join(harness.directory, "src/greeting.ts")],
    diff: expect.stringContaining('+export const greeting = "hello, world";'),
    metadata: { tool: "Edit", diff: expect.stringContaining('+export const greeting = "hello, world";') },
  });
  expect(partsOf(harness.events, "file_ref")).toEqual([]);
  await harness.answerPermission(data.permission_id, "once");
  const [change] = partsOf((await turn).events, "file_ref");
  expect(change).toMatchObject({ path: "src/greeting.ts", action: "patch", diff: data.metadata?.diff });
  expectSound(harness);
});

test("a rejected edit changes nothing", async () => {
  const harness = await openMock();
  const { events } = await promptAndPermit(harness, "edit", "reject");
  expect(partsOf(events, "file_ref")).toEqual([]);
  expect(assistantText(events)).toBe("I left the greeting alone: you rejected it.");
  expectSound(harness);
});

test("an edit that is always allowed allows no command", async () => {
  const harness = await openMock();
  await promptAndPermit(harness, "edit", "always");
  const again = await harness.prompt("edit");
  expect(permissionsAsked(again)).toBe(0);
  expect(assistantText(again.events)).toBe("I changed the greeting: you always allow this edit.");
  expect(permissionsAsked(await promptAndPermit(harness, "permission", "reject"))).toBe(1);
});

test.each<[PermissionMode, number, string]>([
  ["acceptEdits", 1, "I changed the greeting: edits need no permission in acceptEdits mode."],
  ["bypass", 1, "I changed the greeting: nothing needs permission in bypass mode."],
  ["plan", 0, "I left the greeting alone: plan mode is read-only."],
])("in %s mode an edit is decided without asking", async (permissionMode, changes, text) => {
  const harness = await openMock({ permissionMode });
  const turn = await harness.prompt("edit");
  expect(permissionsAsked(turn)).toBe(0);
  expect(partsOf(turn.events, "file_ref")).toHaveLength(changes);
  expect(assistantText(turn.events)).toBe(text);
  expectSound(harness);
});
