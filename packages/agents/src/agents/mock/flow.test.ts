import type { UniversalEvent } from "@sandbox-agent-ts/protocol";
import { expect, test } from "vitest";
import { expectSound } from "../../contract/agent-contract.ts";
import { assistantText, completedItems } from "../../contract/stream-readers.ts";
import { openMock } from "./__fixtures__/open-mock.ts";

test.each([
  [0, 10],
  [1, 1],
  [1_234, 7],
  [3, 1_048_576],
])("burst %i %i is one message of that many deltas of that size", async (count, size) => {
  const harness = await openMock();
  const { outcome, events } = await harness.prompt(`burst ${count} ${size}`);
  expect(outcome.reason).toBe("completed");
  expect(agentDeltas(events).map((delta) => Buffer.byteLength(delta))).toEqual(new Array(count).fill(size));
  expect(assistantText(events).length).toBe(count * size);
  expectSound(harness);
});

test.each(["burst 10000001 1", "burst 1 1048577", "burst 257 1048576", "slow 10001 1", "slow 1 60001"])(
  "%s is more than the mock gives, and it says what it gives",
  async (message) => {
    const harness = await openMock();
    const { outcome, events } = await harness.prompt(message);
    expect(outcome).toMatchObject({ reason: "error", message: expect.stringContaining("takes at most") });
    expect(agentDeltas(events)).toEqual([]);
    expectSound(harness);
  },
);

test("slow counts", async () => {
  const harness = await openMock();
  const { events } = await harness.prompt("slow 4 1");
  expect(agentDeltas(events)).toEqual(["1 ", "2 ", "3 ", "4 "]);
  expectSound(harness);
});

test.each(["burst 10000000 20", "slow 10000 60000", "tell me a story"])(
  "%s stops when interrupted, with the text so far",
  async (message) => {
    const harness = await openMock();
    const turn = harness.prompt(message);
    await firstAgentDelta(harness);
    await harness.interrupt();
    const { outcome, events } = await turn;
    expect(outcome.reason).toBe("interrupted");
    const item = completedItems(events).at(-1);
    expect(item).toMatchObject({ status: "failed", content: [{ text: agentDeltas(events).join("") }] });
    expect(events.filter(({ type }) => type === "item.completed").at(-1)?.source).toBe("agent");
    expectSound(harness);
  },
);

test("an interrupt right after the prompt counts", async () => {
  const harness = await openMock();
  const turn = harness.prompt("good morning");
  await harness.interrupt();
  expect((await turn).outcome.reason).toBe("interrupted");
  expectSound(harness);
});

test("a request that was open at the interrupt is left to the daemon", async () => {
  const harness = await openMock();
  const turn = harness.prompt("permission");
  const { data } = await harness.next("permission.requested");
  await harness.interrupt();
  const { events } = await turn;
  const resolved = events.filter((event) => event.type === "permission.resolved");
  expect(resolved.map(({ source, data }) => [source, data.status])).toEqual([["daemon", "denied"]]);
  expect(data.permission_id).toBe(resolved[0]?.data.permission_id);
  expectSound(harness);
});

function agentDeltas(events: readonly UniversalEvent[]): string[] {
  return events.flatMap((event) => (event.type === "item.delta" && event.source === "agent" ? [event.data.delta] : []));
}

async function firstAgentDelta(harness: Awaited<ReturnType<typeof openMock>>): Promise<void> {
  while ((await harness.next("item.delta")).source !== "agent");
}
