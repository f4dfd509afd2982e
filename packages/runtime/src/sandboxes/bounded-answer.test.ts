/** Feared: a sandbox that answers a question with gigabytes, and a runtime that keeps them all. */
import { eventRecordsType } from "@sandbox-agent-ts/protocol";
import { expect, test } from "vitest";
import { boundedAnswer } from "./bounded-answer.ts";

function endless(type: string, status = 200): { answer: Response; sent: () => number } {
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (stream) => {
      sent += 100;
      stream.enqueue(new Uint8Array(100));
    },
  });
  return { answer: new Response(body, { status, headers: { "content-type": type } }), sent: () => sent };
}

test("an answer without end is given up, and no more of it is read", async () => {
  const { answer, sent } = endless("application/json");
  await expect(boundedAnswer(answer, 1_000, "application/json").json()).rejects.toThrow("more than 1000 bytes");
  expect(sent()).toBeLessThan(2_000);
});

test("a short answer and a stream of events stay as they are", async () => {
  const short = boundedAnswer(Response.json({ a: 1 }, { status: 202 }), 1_000, "application/json");
  expect([short.status, await short.json()]).toEqual([202, { a: 1 }]);
  const { answer } = endless("text/event-stream");
  expect(boundedAnswer(answer, 1_000, "text/event-stream")).toBe(answer);
});

test.each([
  ["an answer that says it is a stream where none was asked for", 200, "application/json"],
  ["a refusal that says it is a stream", 500, eventRecordsType],
])("%s is given up as any other", async (_, status, asked) => {
  const { answer } = endless(eventRecordsType, status);
  await expect(boundedAnswer(answer, 1_000, asked).text()).rejects.toThrow("more than 1000 bytes");
});
