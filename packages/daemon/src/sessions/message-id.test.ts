import { expect, test } from "vitest";
import { codeOf, ofType, session } from "../__fixtures__/client.ts";
import { startTestDaemon } from "../__fixtures__/test-daemon.ts";

const idsOf = (events: Parameters<typeof ofType>[0]) =>
  ofType(events, "turn.started").map(({ data }) => data.metadata?.client_message_id);

test("the sender's id of a message, else its Idempotency-Key, is in turn.started", async () => {
  const { client } = await startTestDaemon();
  await client.create("s");
  const post = (body: object, headers: Record<string, string> = {}) =>
    client.call("POST", `${session("s")}/messages/stream`, { message: "echo x", ...body }, headers);
  await post({ messageId: "mine" }, { "idempotency-key": "key" });
  await post({}, { "idempotency-key": "other key" });
  await post({});
  expect(idsOf(await client.soundLog("s"))).toEqual(["mine", "other key", undefined]);
  const tooLong = await post({ messageId: "x".repeat(201) });
  expect(codeOf(tooLong)).toBe("invalid_request");
});

test("the id of a message that waits survives a restart of the daemon", async () => {
  const first = await startTestDaemon();
  await first.client.create("s");
  await first.client.message("s", "permission");
  const waiting = await first.client.follow("s");
  await waiting.until(({ type }) => type === "permission.requested");
  await first.client.call("POST", `${session("s")}/messages`, { message: "echo x", messageId: "later" });
  await first.close();
  const { client } = await startTestDaemon({ dataDir: first.dataDir });
  const reader = await client.follow("s");
  const events = await reader.until(
    ({ type, data }) => type === "turn.started" && data.metadata?.client_message_id === "later",
  );
  expect(idsOf(events)).toEqual([undefined, "later"]);
});
