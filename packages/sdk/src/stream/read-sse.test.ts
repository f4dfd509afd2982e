/** Feared: a server that sends one frame without end, and a reader that keeps all of it, again and again. */
import { expect, test } from "vitest";
import { CorruptStream } from "./event-cursor.ts";
import { readSse } from "./read-sse.ts";

function endless(start: string): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start: (stream) => stream.enqueue(encoder.encode(start)),
    pull: (stream) => stream.enqueue(encoder.encode("x".repeat(100))),
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

test("a frame that is too long is refused as what no daemon sends, behind those that were not", async () => {
  const options = { signal: new AbortController().signal, stallMs: 10_000, maxFrameChars: 1_000 };
  const seen: string[] = [];
  const reading = async () => {
    for await (const frames of readSse({ ...options, open: async () => endless("data: short\n\ndata: ") })) {
      seen.push(...frames.map(({ data }) => data));
    }
  };
  const failure = await reading().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(CorruptStream);
  expect(failure).toMatchObject({ message: expect.stringContaining("more than 1000 characters") });
  expect(seen).toEqual(["short"]);
});
