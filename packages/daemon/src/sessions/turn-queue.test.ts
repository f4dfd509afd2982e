/** Feared: messages that wait, or were sent long ago with a key, fill the memory. */
import { MemoryStore } from "@sandbox-agent-ts/store";
import { expect, test } from "vitest";
import { TurnQueue } from "./turn-queue.ts";

async function openQueue(): Promise<TurnQueue> {
  const store = new MemoryStore();
  await store.create({ sessionId: "s", uid: "u", createdAt: 0, config: null });
  return new TurnQueue(store, "s");
}

test("messages that are too long together are refused until one has been taken", async () => {
  const queue = await openQueue();
  const message = "x".repeat(20 * 1024 * 1024);
  for (let n = 0; n < 3; n++) await queue.admit({ message }, () => 0);
  await expect(queue.admit({ message }, () => 0)).rejects.toMatchObject({
    code: "too_many_requests",
    message: expect.stringMatching(/64 MB are waiting/),
  });
  await queue.admit({ message: "short" }, () => 0);
  queue.take((await queue.first())!);
  await queue.admit({ message }, () => 0);
  expect(queue).toMatchObject({ length: 4, textLength: 3 * message.length + 5 });
});

test("of a message with a key only its turn is remembered, and whether another one is the same", async () => {
  const queue = await openQueue();
  const attachments = [{ path: "/a" }];
  const { turn } = await queue.admit({ message: "hello", attachments, idempotencyKey: "k" }, () => 7);
  expect((await queue.find({ message: "hello", attachments, idempotencyKey: "k" }))?.turn).toEqual({
    turnId: turn.turnId,
    after: 7,
  });
  for (const other of [{ message: "hello" }, { message: "hullo", attachments }]) {
    await expect(queue.find({ ...other, idempotencyKey: "k" })).rejects.toMatchObject({ code: "invalid_request" });
  }
});
