import type { SessionListEntry } from "@sandbox-agent-ts/protocol";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SessionListFeed } from "./session-list-feed.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A feed over sessions that are nothing but a status. */
function feedOf(sessions: Map<string, string>) {
  const describe = (sessionId: string) => {
    const status = sessions.get(sessionId);
    return status === undefined ? undefined : ({ sessionId, status } as unknown as SessionListEntry);
  };
  return new SessionListFeed(describe);
}

function read(feed: SessionListFeed, lastEventId?: string) {
  const stop = new AbortController();
  const texts: string[] = [];
  const done = (async () => {
    for await (const { frames } of feed.follow(lastEventId, stop.signal)) texts.push(frames);
  })();
  const events = () => texts.join("").split("\n\n").filter(Boolean).map(parseFrame);
  const end = () => {
    stop.abort();
    return done;
  };
  return { events, end };
}

function parseFrame(frame: string): { id: string; text: string } {
  const [, id, json] = /^id: (\S+)\ndata: (.*)$/.exec(frame)!;
  const { type, reason, sessionId, session } = JSON.parse(json!);
  return { id: id!, text: [type, reason ?? sessionId ?? `${session.sessionId} ${session.status}`].join(" ") };
}

const textsOf = ({ events }: ReturnType<typeof read>) => events().map(({ text }) => text);

test("changes of one moment are one event with the most important word", async () => {
  const sessions = new Map([["a", "waiting"]]);
  const feed = feedOf(sessions);
  const reader = read(feed);
  feed.touch("a", "created");
  feed.touch("a", "waiting");
  feed.touch("a", "changed");
  await vi.advanceTimersByTimeAsync(1);
  sessions.set("a", "running");
  feed.touch("a", "waiting");
  await vi.advanceTimersByTimeAsync(98);
  expect(textsOf(reader)).toEqual(["reset connected", "session.waiting a waiting"]);
  await vi.advanceTimersByTimeAsync(2);
  expect(textsOf(reader).slice(2)).toEqual(["session.changed a running"]);
  await reader.end();
});

test("a log that grows is told once a second, together with what else changes", async () => {
  const feed = feedOf(new Map([["a", "running"]]));
  const reader = read(feed);
  const grow = async (ms: number) => {
    for (let n = 0; n < ms; n += 10) {
      feed.touch("a", "progress");
      await vi.advanceTimersByTimeAsync(10);
    }
  };
  await grow(990);
  expect(textsOf(reader)).toEqual(["reset connected"]);
  await grow(2_000);
  expect(textsOf(reader).length).toBeGreaterThanOrEqual(2);
  expect(textsOf(reader).length).toBeLessThanOrEqual(4);
  await reader.end();
});

test("what is not listed is not told", async () => {
  const feed = feedOf(new Map());
  const reader = read(feed);
  feed.touch("a", "changed");
  await vi.advanceTimersByTimeAsync(200);
  expect(textsOf(reader)).toEqual(["reset connected"]);
  await reader.end();
});

test("who was away gets each session once, in order, and what is gone", async () => {
  const sessions = new Map([
    ["a", "idle"],
    ["b", "idle"],
    ["c", "idle"],
  ]);
  const feed = feedOf(sessions);
  const first = read(feed);
  for (const id of ["a", "b", "c"]) feed.touch(id, "created");
  await vi.advanceTimersByTimeAsync(200);
  await first.end();
  for (const id of ["b", "a", "b"]) {
    feed.touch(id, "changed");
    await vi.advanceTimersByTimeAsync(200);
  }
  sessions.delete("c");
  feed.remove("c");
  const again = read(feed, first.events().at(-1)!.id);
  await vi.advanceTimersByTimeAsync(1);
  expect(textsOf(again)).toEqual(["session.changed a idle", "session.changed b idle", "session.deleted c"]);
  await again.end();
});

test("who missed more deletions than are remembered has to read the list again", async () => {
  const feed = feedOf(new Map([["kept", "idle"]]));
  const first = read(feed);
  feed.touch("kept", "created");
  await vi.advanceTimersByTimeAsync(200);
  await first.end();
  const seen = first.events().at(-1)!.id;
  for (let n = 0; n < 1_000; n++) feed.remove(`s${n}`);
  const early = read(feed, seen);
  await vi.advanceTimersByTimeAsync(1);
  expect(textsOf(early)).toHaveLength(1_000);
  await early.end();
  feed.remove("one too many");
  const late = read(feed, seen);
  await vi.advanceTimersByTimeAsync(1);
  expect(textsOf(late)).toEqual(["reset expired"]);
  await late.end();
});

test("a reader that takes its time gets the session as it is then, once", async () => {
  const sessions = new Map([["a", "idle"]]);
  const feed = feedOf(sessions);
  const stop = new AbortController();
  const reader = feed.follow(undefined, stop.signal);
  await reader.next();
  for (const status of ["running", "waiting", "idle", "running"]) {
    sessions.set("a", status);
    feed.touch("a", "changed");
    await vi.advanceTimersByTimeAsync(200);
  }
  const { value } = await reader.next();
  expect(value!.frames.trim().split("\n\n").map(parseFrame)).toMatchObject([{ text: "session.changed a running" }]);
  stop.abort();
  expect(await reader.next()).toMatchObject({ done: true });
});
