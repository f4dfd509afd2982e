import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { ContentPart, UniversalEvent } from "@sandbox-agent-ts/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { expectSound } from "../../contract/agent-contract.ts";
import { AgentHarness } from "../../contract/agent-harness.ts";
import { assistantText, completedItems } from "../../contract/stream-readers.ts";
import { openMock } from "./__fixtures__/open-mock.ts";
import { adapter } from "./index.ts";
import { scenarios } from "./scenarios.ts";

test("help names every word", async () => {
  const harness = await openMock();
  const text = assistantText((await harness.prompt("help")).events);
  for (const { usage } of scenarios) expect(text).toContain(`\`${usage}\``);
  expectSound(harness);
});

test.each(["HELP", "  Help \n"])("%j is help", async (message) => {
  const harness = await openMock();
  expect(assistantText((await harness.prompt(message)).events)).toContain("I am the mock agent");
});

test.each([
  "help me",
  "burst",
  "burst 3",
  "burst 3 0",
  "burst three ten",
  "slow 1",
  "constructor",
  "demo!",
  "plan a holiday",
  "what did I say before",
  " two  spaces ",
])("%j is no word of the mock and is echoed to the byte", async (message) => {
  const harness = await openMock();
  const { outcome, events } = await harness.prompt(message);
  expect(outcome.reason).toBe("completed");
  expect(assistantText(events)).toBe(message);
  expectSound(harness);
});

test("echo says exactly what follows it", async () => {
  const harness = await AgentHarness.open(adapter);
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary" }), async (text) => {
      const { events } = await harness.prompt(`Echo |${text}`);
      expect(assistantText(events)).toBe(`|${text}`);
    }),
    { numRuns: 50 },
  );
  expectSound(harness);
  await harness.dispose();
});

test("an empty message gets an answer", async () => {
  const harness = await openMock();
  expect(assistantText((await harness.prompt("")).events)).toBe("(an empty message)");
  expectSound(harness);
});

test("attachments are named below the echo", async () => {
  const harness = await openMock();
  const attachments = [{ path: "a/b.txt" }, { path: "c.png", filename: "cat.png", mime: "image/png" }];
  const { events } = await harness.prompt("two files", attachments);
  expect(assistantText(events)).toBe("two files\nAttached: a/b.txt\nAttached: cat.png (image/png)");
});

test("markdown is a thought and a message in several deltas", async () => {
  const harness = await openMock();
  const { events } = await harness.prompt("markdown");
  const items = agentItems(events);
  expect(items.map((item) => item.content.map((part) => part.type))).toEqual([["reasoning"], ["text"]]);
  const written = events.filter((event) => event.type === "item.delta" && event.data.item_id === items[1]?.item_id);
  expect(written.length).toBeGreaterThan(10);
  expectSound(harness);
});

test("tool looks up, runs, changes and delegates, each call with its result", async () => {
  const harness = await openMock();
  const { events } = await harness.prompt("tool");
  const calls = partsOf(events, "tool_call");
  expect(calls.map((part) => part.name)).toEqual(["Search", "Bash", "Edit", "Task"]);
  for (const call of calls) expect(() => JSON.parse(call.arguments)).not.toThrow();
  expect(partsOf(events, "tool_result").map((part) => part.call_id)).toEqual(calls.map((part) => part.call_id));
  expectSound(harness);
});

test("the file change of tool comes with its diff", async () => {
  const harness = await openMock();
  const [change] = partsOf((await harness.prompt("tool")).events, "file_ref");
  expect(change).toMatchObject({
    path: "src/greeting.ts",
    action: "patch",
    diff: expect.stringContaining("@@ -1 +1 @@"),
  });
});

test("the subagent of tool speaks under the call that started it", async () => {
  const harness = await openMock();
  const items = agentItems((await harness.prompt("tool")).events);
  const spoken = items.filter((item) => item.parent_id);
  const task = items.find((item) => item.content.some((part) => part.type === "tool_call" && part.name === "Task"));
  expect(spoken.map((item) => item.parent_id)).toEqual([task?.item_id]);
});

test("parallel starts three tools before the first answers, and they answer in another order", async () => {
  const harness = await openMock();
  const { events } = await harness.prompt("parallel");
  const started = events.flatMap((event) => (event.type === "item.started" ? [event.data.item] : []));
  const [, ...kinds] = started.map(({ kind }) => kind);
  expect(kinds.slice(0, 4)).toEqual(["tool_call", "tool_call", "tool_call", "tool_result"]);
  const calls = started.flatMap(({ content }) => content.flatMap((part) => (part.type === "tool_call" ? part : [])));
  const answered = partsOf(events, "tool_result").map((part) => part.call_id);
  expect(answered).toEqual(calls.map((part) => part.call_id).toReversed());
  expectSound(harness);
});

test("fail is a command with an exit code, whose call and result failed, and a turn that goes on", async () => {
  const harness = await openMock();
  const { outcome, events } = await harness.prompt("fail");
  const [call, result, message] = agentItems(events);
  expect([call?.status, result?.status, message?.status]).toEqual(["failed", "failed", "completed"]);
  expect(partsOf(events, "json").map(({ json }) => json)).toEqual([{ command: "npm run lint", exit_code: 2 }]);
  expect(outcome.reason).toBe("completed");
  expectSound(harness);
});

test("status tells three times how far it is", async () => {
  const harness = await openMock();
  const { events } = await harness.prompt("status");
  expect(partsOf(events, "status").map((part) => part.label)).toEqual(["Indexing", "Indexing", "Ready"]);
  expectSound(harness);
});

test("image refers to a real picture on disk", async () => {
  const harness = await openMock();
  const [picture] = partsOf((await harness.prompt("image")).events, "image");
  expect(picture?.mime).toBe("image/png");
  const bytes = await readFile(picture?.path ?? "");
  expect(bytes.subarray(1, 4).toString()).toBe("PNG");
  expectSound(harness);
});

test("unknown is an item of kind unknown", async () => {
  const harness = await openMock();
  const [item] = agentItems((await harness.prompt("unknown")).events);
  expect(item).toMatchObject({ kind: "unknown", content: [{ type: "json" }] });
  expectSound(harness);
});

test("error is an event and the turn's reason", async () => {
  const harness = await openMock();
  const { outcome, events } = await harness.prompt("error");
  const errors = events.filter((event) => event.type === "error");
  expect(errors.map((event) => event.data)).toMatchObject([{ message: outcome.message, code: "mock_overloaded" }]);
  expect(outcome.reason).toBe("error");
  expectSound(harness);
});

test("unparsed names the line by its hash and goes on", async () => {
  const harness = await openMock();
  const { outcome, events } = await harness.prompt("unparsed");
  const [event] = events.filter((event) => event.type === "agent.unparsed");
  const hash = createHash("sha256").update(String(event?.raw)).digest("hex");
  expect(event?.data).toMatchObject({ raw_hash: hash, location: "mock" });
  expect(outcome.reason).toBe("completed");
  expect(assistantText(events)).toContain("I go on");
  expectSound(harness, { unparsed: true });
});

test("end says goodbye, then the session is over", async () => {
  const harness = await openMock();
  const { outcome, events } = await harness.prompt("end");
  expect(outcome).toMatchObject({
    reason: "completed",
    sessionEnded: { reason: "completed", terminated_by: "agent" },
  });
  expect(assistantText(events)).toBe("Goodbye.");
  await expect(harness.prompt("hello")).rejects.toMatchObject({ code: "session_ended" });
});

test("every event but the broken line has a small JSON line as its raw form", async () => {
  const harness = await openMock();
  const { events } = await harness.prompt("tool");
  for (const event of events.filter(({ source }) => source === "agent")) {
    expect(JSON.parse(String(event.raw))).toMatchObject({ step: event.type });
  }
});

function agentItems(events: readonly UniversalEvent[]) {
  return completedItems(events).filter((item) => item.role !== "user");
}

function partsOf<T extends ContentPart["type"]>(events: readonly UniversalEvent[], type: T) {
  const parts = agentItems(events).flatMap((item) => item.content);
  return parts.filter((part): part is Extract<ContentPart, { type: T }> => part.type === type);
}
