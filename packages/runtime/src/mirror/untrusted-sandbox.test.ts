/**
 * Feared: a sandbox whose daemon was replaced by a program that lies: what it sends ends up in somebody's log, fills the
 * memory, stops others, or the turn waits for ever.
 */
import { checkStream } from "@sandbox-agent-ts/protocol";
import { describe, expect, test } from "vitest";
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
