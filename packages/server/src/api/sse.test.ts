/** Feared: a heartbeat in the middle of a long event, which comes in parts, makes two broken events of it. */
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import type { Context } from "hono";
import { afterEach, expect, test, vi } from "vitest";
import { sendEvents } from "./sse.ts";

afterEach(() => vi.useRealTimers());

test("heartbeats stand between events, never in one that comes in parts", async () => {
  vi.useFakeTimers({ toFake: ["setInterval"] });
  const response = Object.assign(new PassThrough(), { writeHead: () => {} });
  const context = { env: { outgoing: response }, req: { method: "GET" } } as unknown as Context;
  const parts = [
    { frames: "id: 1\ndata: be", part: { ends: false } },
    { frames: "gun", part: { ends: false } },
    { frames: "\n\n", part: { ends: true } },
    { frames: "id: 2\ndata: whole\n\n" },
  ];
  const seen = text(response);
  sendEvents(context, new AbortController().signal, async function* () {
    for (const part of parts) {
      yield part;
      vi.advanceTimersToNextTimer();
    }
  });
  expect((await seen).replace(/^retry: \d+\n\n/, "")).toBe("id: 1\ndata: begun\n\n:\n\nid: 2\ndata: whole\n\n:\n\n");
});
