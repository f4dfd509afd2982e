import { type SandboxAgent, SandboxAgentError, type UniversalEvent } from "@sandbox-agent-ts/sdk";
import { expect, onTestFinished, test, vi } from "vitest";
import { SessionStream } from "./session-stream.ts";

test("what arrives within a frame is handed on together", async () => {
  const batches: number[] = [];
  await new Promise<void>((resolve) => {
    async function* streamEvents() {
      for (let sequence = 1; sequence <= 500; sequence += 1) yield { sequence } as UniversalEvent;
      await new Promise<never>(() => {});
    }
    const stream = new SessionStream({
      client: { streamEvents } as unknown as SandboxAgent,
      sessionId: "s",
      onEvents: (events) => {
        batches.push(events.length);
        resolve();
      },
      onState: () => {},
    });
    stream.start(0);
  });
  expect(batches).toEqual([500]);
});

test("what has arrived when it is stopped is handed on, and nothing after", async () => {
  const seen: number[] = [];
  let ended: (() => void) | undefined;
  const end = new Promise<void>((resolve) => {
    ended = resolve;
  });
  async function* streamEvents(_id: string, _query: unknown, { signal }: { signal: AbortSignal }) {
    yield { sequence: 1 } as UniversalEvent;
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    ended?.();
  }
  const stream = new SessionStream({
    client: { streamEvents } as unknown as SandboxAgent,
    sessionId: "s",
    onEvents: (events) => seen.push(...events.map(({ sequence }) => sequence)),
    onState: () => {},
  });
  stream.start(0);
  await new Promise((resolve) => setImmediate(resolve));
  stream.stop();
  expect(seen).toEqual([1]);
  await end;
  expect(seen).toEqual([1]);
});

test("a refused token is told, and the stream goes on behind its last event when the token is taken again", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const offsets: number[] = [];
  async function* streamEvents(_id: string, { offset }: { offset: number }, { onConnection }: StreamOptions) {
    offsets.push(offset);
    if (offsets.length === 2) throw new SandboxAgentError(401);
    onConnection("live");
    yield { sequence: offset + 1 } as UniversalEvent;
    if (offsets.length === 1) throw new SandboxAgentError(401);
    await new Promise<never>(() => {});
  }
  const states: [string, number | undefined][] = [];
  const stream = new SessionStream({
    client: { streamEvents } as unknown as SandboxAgent,
    sessionId: "s",
    onEvents: () => {},
    onState: (state, error) => states.push([state, (error as SandboxAgentError | undefined)?.status]),
  });
  stream.start(7);
  await vi.advanceTimersByTimeAsync(30_000);
  stream.stop();
  expect(offsets).toEqual([7, 8, 8]);
  const refused = ["refused", 401];
  expect(states).toEqual([["connecting", undefined], ["live", undefined], refused, refused, ["live", undefined]]);
});

interface StreamOptions {
  readonly onConnection: (state: "live") => void;
}
