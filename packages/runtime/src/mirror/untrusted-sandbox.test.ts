/**
 * Feared: a sandbox whose daemon was replaced by a program that lies: what it sends ends up in somebody's log, fills the
 * memory, stops others, or the turn waits for ever.
 */
import { checkStream, eventRecordsType } from "@sandbox-agent-ts/protocol";
import { describe, expect, test, vi } from "vitest";
import { EventBus } from "../events/event-bus.ts";
import {
  daemonWith,
  envelope,
  eventsUntilTurnEnds,
  frame,
  json,
  type ScriptedDaemon,
  scriptedSandboxes,
  sessionsOn,
  sse,
} from "./__fixtures__/scripted-sandboxes.ts";

const started = envelope(1, "session.started", {});
const problem = (status: number, type: string) =>
  json({ type: `urn:sandbox-agent:error:${type}`, title: type, status }, status);

const bytes = (text: string) => sse(text, undefined, eventRecordsType);
const records = (...batches: ReturnType<typeof envelope>[][]) =>
  bytes(
    batches
      .map((events) => {
        const lines = events.map((event) => `${JSON.stringify(event)}\n`).join("");
        return `${events[0]!.sequence} ${events.length} ${lines.length} 0\n${lines}`;
      })
      .join(""),
  );

const lies: Readonly<Record<string, () => Response>> = {
  "an event without its data": () =>
    sse(frame(started) + frame({ ...envelope(2, "item.delta", {}), data: { item_id: 7 } })),
  "an event of a kind that there is not": () => sse(frame(started) + frame(envelope(2, "hologram", {}))),
  "an event of another session": () => sse(frame(started) + frame(envelope(2, "error", { message: "x" }, "other"))),
  "a gap": () => sse(frame(started) + frame(envelope(7, "error", { message: "x" }))),
  "an event under another number": () =>
    sse(`${frame(started)}id: 2\n${frame(envelope(3, "error", { message: "x" }))}`),
  "no JSON under a number": () => sse(`${frame(started)}id: 2\ndata: {"sequence":2\n\n`),
  "no JSON": () => sse(`${frame(started)}data: {"sequence":2\n\n`),
  "an event without a number": () => sse(frame(started) + frame({ ...envelope(2, "error", {}), sequence: "2" })),
  "records of another session": () => records([started], [envelope(2, "error", { message: "x" }, "other")]),
  "records with a gap": () => records([started], [envelope(7, "error", { message: "x" })]),
  "records that hold less than they say": () => bytes("1 2 3 0\n{}\n"),
  "records that are none": () => bytes("hologram\n"),
};

/** Each of these could be an accident: it is looked at some times before the sandbox is given up. */
const refusals: Readonly<Record<string, () => Response | Promise<Response>>> = {
  "that it does not know the session": () => problem(404, "session_not_found"),
  "that the token is wrong": () => problem(401, "token_invalid"),
  "that it is busy": () => problem(503, "internal_error"),
  "a page instead of events": () => new Response("<html>", { headers: { "content-type": "text/html" } }),
  "nothing and hangs up": () => new Response("", { headers: { "content-type": "text/event-stream" } }),
  "the address of somebody else": () => new Response(null, { status: 307, headers: { location: "http://10.0.0.1/" } }),
};

const mib = 1024 * 1024;
const item = (sequence: number, content: string) => ({
  item_id: `i${sequence}`,
  kind: "message",
  role: "assistant",
  status: "in_progress",
  content: [{ type: "text", text: content }],
});
const asked = (sequence: number) => ({
  permission_id: `p${sequence}`,
  action: "x".repeat(1_000),
  status: "requested",
  metadata: {},
});

/** Each of these goes on for as long as anybody reads. */
const floods: Readonly<Record<string, [next: (sequence: number) => string, reason: RegExp, type?: string]>> = {
  "items that it never ends": [
    (n) => frame(envelope(n, "item.started", { item: item(n, "x") })),
    /more items or requests that stay open than any agent has/,
  ],
  "large items that it never ends": [
    (n) => frame(envelope(n, "item.started", { item: item(n, "x".repeat(4 * mib)) })),
    /more items or requests that stay open than any agent has/,
  ],
  "requests that nobody can answer": [
    (n) => frame(envelope(n, "permission.requested", asked(n))),
    /more items or requests that stay open than any agent has/,
  ],
  "text without end": [
    (n) =>
      n === 2
        ? frame(envelope(n, "item.started", { item: item(n, "") }))
        : frame(envelope(n, "item.delta", { item_id: "i2", delta: "x".repeat(mib) })),
    /more than \d+ characters for one message/,
  ],
  "errors without end": [
    (n) => frame(envelope(n, "error", { message: "x".repeat(mib) })),
    /more than \d+ characters for one message/,
  ],
  "records without end": [
    (n) => (n === 2 ? "\n" : `1 0 ${mib} 0\n${"x".repeat(mib)}`),
    /A record of the event stream has more than/,
    eventRecordsType,
  ],
  "an event without end": [(n) => (n === 2 ? "data: " : "x".repeat(mib)), /A frame of the event stream has more than/],
};

async function turnIn(stream: ScriptedDaemon) {
  const provider = scriptedSandboxes(() => daemonWith(stream));
  const sessions = sessionsOn(provider);
  const session = await sessions.createSession({ sessionId: "s", agent: "any", owner: "ann" });
  await session.sendMessage("hello");
  const events = await eventsUntilTurnEnds(sessions, "s");
  expect(checkStream(events)).toEqual([]);
  expect(provider.ended).toEqual(["box-1"]);
  return { events, session, provider };
}

/** One that answers the message of the turn "t" in the session "other". */
function honestDaemon(): ScriptedDaemon {
  const events = [
    envelope(1, "session.started", {}, "other"),
    envelope(2, "turn.started", { phase: "started", turn_id: "t" }, "other"),
    envelope(3, "turn.ended", { phase: "ended", turn_id: "t", metadata: { reason: "completed" } }, "other"),
  ];
  return daemonWith(() => sse(events.map(frame).join("")));
}

const failedWith = (message: RegExp) => ({
  type: "turn.ended",
  data: { metadata: { reason: "error", message: expect.stringMatching(message) } },
});

describe("a sandbox that sends", () => {
  test.each(Object.keys(lies))("%s is ended with a reason, and the turn with it", async (lie) => {
    const { events } = await turnIn(lies[lie]!);
    expect(events.at(-1)).toMatchObject(failedWith(/^The sandbox was lost: The sandbox sent /));
    expect(JSON.stringify(events)).not.toContain("hologram");
  });

  test.each(Object.keys(refusals))("%s when it is asked for events is ended, and the turn with it", async (refusal) => {
    let asked = 0;
    const { events } = await turnIn(() => {
      asked += 1;
      return refusals[refusal]!();
    });
    expect(events.at(-1)).toMatchObject(failedWith(/^The sandbox was lost: its events cannot be read: \S/));
    expect(asked).toBeLessThanOrEqual(10);
  });

  test.each(Object.keys(floods))("%s is ended with a reason, and no other session notices", async (name) => {
    const [next, reason, type] = floods[name]!;
    const begin = type === undefined ? frame(started) : "";
    let sequence = 1;
    const flood = daemonWith(() =>
      sse(
        sequence === 1 ? begin : "",
        async () => {
          await new Promise((resolve) => setImmediate(resolve));
          return next(++sequence);
        },
        type,
      ),
    );
    const provider = scriptedSandboxes((n) => (n === 1 ? flood : honestDaemon()));
    const isOfText = String(reason).includes("one message");
    const sessions = sessionsOn(provider, isOfText ? { limits: { maxTurnChars: 24 * mib } } : {});
    const before = process.memoryUsage().rss;
    const session = await sessions.createSession({ sessionId: "s", agent: "any" });
    await session.sendMessage("hello");
    await vi.waitFor(() => expect(sequence).toBeGreaterThan(2));
    const other = await sessions.createSession({ sessionId: "other", agent: "any" });
    await other.sendMessage({ message: "hello", turnId: "t" });
    const ends = await Promise.all(["s", "other"].map((id) => eventsUntilTurnEnds(sessions, id)));
    expect(ends[0]!.at(-1)).toMatchObject(failedWith(reason));
    expect(ends[1]!.at(-1)).toMatchObject({ data: { metadata: { reason: "completed" } } });
    expect(provider.ended).toEqual(["box-1"]);
    expect(process.memoryUsage().rss - before).toBeLessThan(1024 * mib);
  });

  test("a change of a file outside of its workspace is ended with a reason, and nobody is told of it", async () => {
    const told: unknown[] = [];
    const bus = new EventBus();
    bus.on("session:file:created", (event) => told.push(event));
    const change = { type: "created", path: "../../etc/passwd", entryType: "file" };
    const provider = scriptedSandboxes(() => (path, init) => {
      if (path === "/v1/fs/changes/sse") return sse(frame({ type: "ready" }) + frame(change));
      return daemonWith(() => sse(frame(started)))(path, init);
    });
    const sessions = sessionsOn(provider, { bus });
    const session = await sessions.createSession({ sessionId: "s", agent: "any" });
    await session.sendMessage("hello");
    const events = await eventsUntilTurnEnds(sessions, "s");
    expect(events.at(-1)).toMatchObject(failedWith(/lost: It told of a change of a file outside of its workspace/));
    expect([provider.ended, told]).toEqual([["box-1"], []]);
  });

  test("nothing at all when it is asked for its health is given up, and the turn ends with the reason", async () => {
    const provider = scriptedSandboxes(() => () => new Response("no", { status: 502 }));
    const sessions = sessionsOn(provider);
    const session = await sessions.createSession({ sessionId: "s", agent: "any", owner: "ann" });
    await session.sendMessage("hello");
    expect((await eventsUntilTurnEnds(sessions, "s")).at(-1)).toMatchObject(failedWith(/could not be started/));
    expect(provider.ended).toEqual(["box-1"]);
    expect(session.getRuntimeState()).toEqual({ isLoaded: true, sandbox: null });
  });
});
