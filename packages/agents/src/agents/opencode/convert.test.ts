import type { EventDraft } from "@sandbox-agent-ts/protocol";
import { describe, expect, test } from "vitest";
import { expectPiecewise } from "../../contract/expect-piecewise.ts";
import { expectAllRead, expectWholeTurn } from "../../contract/expect-whole-turn.ts";
import { beginningState, readRecording, recordings, SESSION } from "./__fixtures__/recordings.ts";
import { afterLoss, allowForGood, beginTurn, endTurn, giveUp, type OpencodeState } from "./convert/opencode-state.ts";
import { convertEvents } from "./convert.ts";
import type { EventProperties, OpencodeEvent } from "./dialect.ts";
import { sessionRules } from "./permission-rules.ts";

describe.each(recordings)("the recording %s", (name) => {
  const events = readRecording(name);

  test("becomes these events", () => {
    const { drafts, images, answers, ended } = convertEvents(beginningState(), events);
    expect({ events: drafts.map(withoutRaw), images, answers, ended }).toMatchSnapshot();
  });

  test("keeps the schema and the invariants of a stream", () => {
    const { drafts } = convertEvents(beginningState(), events);
    expectWholeTurn(drafts);
    expectAllRead(drafts);
  });

  test("is the same event by event, and changes no state it was given", () => {
    expectPiecewise(events, { begin: beginningState, convert: convertEvents });
  });

  test("ends once, at the last time that it is idle", () => {
    const ends = endings(beginningState(), events);
    const idle = events.flatMap(({ type, properties }, at) =>
      type === "session.idle" && properties.sessionID === SESSION ? [at] : [],
    );
    expect(ends).toEqual([idle.at(-1)]);
  });
});

test("an idle that belongs to the turn before, or to nothing, does not end this one", () => {
  const events = readRecording("tools");
  const idle = event("session.idle", {});
  const earlier = events.slice(
    0,
    events.findIndex(({ properties }) => properties.part?.type === "step-finish"),
  );
  expect(convertEvents(beginningState(), [idle]).ended).toBeUndefined();
  expect(
    endings(
      beginningState(),
      earlier.flatMap((one) => [one, idle]),
    ),
  ).toEqual([]);
});

test("what comes late of a turn that is over is not told any more, nor in the next one", () => {
  const events = readRecording("tools");
  const begun = events.findIndex(({ properties }) => properties.part?.state?.status === "running") + 1;
  const { state } = convertEvents(beginningState(), events.slice(0, begun));
  const late = events.slice(begun).filter(({ properties }) => properties.info?.role !== "user");
  expect(convertEvents(state, late).drafts).not.toEqual([]);
  expect(convertEvents(endTurn(state), late).drafts).toEqual([]);
  const next = event("message.updated", { info: { id: "msg_z", role: "user", sessionID: SESSION } });
  const parts = late.filter(({ properties }) => properties.part);
  expect(convertEvents(beginTurn(state), [next, ...parts]).drafts).toEqual([]);
});

test("what is said again of the turn before is no part of this one", () => {
  const first = convertEvents(beginningState(), readRecording("tools"));
  const again = readRecording("tools").filter(({ type }) => type === "message.updated" || type === "session.idle");
  const { drafts, ended } = convertEvents(beginTurn(first.state), again);
  expect(drafts).toEqual([]);
  expect(ended).toBeUndefined();
});

test("an error of the turn before, which comes late, is held back", () => {
  const error = { name: "UnknownError", data: { message: "Model not found: a/b." } };
  const { drafts, state } = convertEvents(beginningState(), [event("session.error", { error })]);
  expect(drafts).toEqual([]);
  expect(state.turn.earlyError).toMatchObject({ code: "model_not_found" });
});

test("what a subagent asks is decided by the rules of the session", () => {
  const asked = (rules: OpencodeState["rules"]) => convertEvents(beginningState({ rules }), readRecording("subagent"));
  expect(asked(sessionRules("bypass", [])).answers).toMatchObject([{ reply: "once" }]);
  const denied = sessionRules("bypass", [{ permission: "bash", pattern: "echo *", action: "deny" }]);
  expect(asked(denied).answers).toMatchObject([{ reply: "reject" }]);
  const { answers, drafts } = asked(sessionRules("default", []));
  expect(answers).toEqual([]);
  const request = drafts.find(({ type }) => type === "permission.requested");
  expect(request?.data).toMatchObject({ metadata: { parent_id: "i1" } });
});

test("what was allowed for good is allowed again, and nothing else", () => {
  const events = readRecording("permissions");
  const { state } = convertEvents(beginningState(), events.slice(0, indexOfFirstAsk(events) + 1));
  const request = [...state.requests.values()][0];
  if (request?.type !== "permission") throw new Error("A permission is asked for.");
  const { answers, drafts } = convertEvents(allowForGood(beginningState(), request.keys), events);
  expect(answers).toEqual([{ nativeId: request.nativeId, reply: "once" }]);
  expect(drafts.filter(({ type }) => type === "permission.requested")).toHaveLength(2);
});

test("a model that is given up ends the turn with an error, whatever the answer is then", () => {
  const events = readRecording("retries");
  const retry = events.findIndex(({ properties }) => properties.status?.type === "retry");
  const { state } = convertEvents(beginningState(), events.slice(0, retry + 1));
  expect(state.turn.trouble).toBe("Scripted server_error");
  const aborted = event("message.updated", {
    info: { id: "msg_002", sessionID: SESSION, role: "assistant", parentID: "msg_001", time: { completed: 1 } },
  });
  const { ended, drafts } = convertEvents(giveUp(state), [aborted, event("session.idle", {})]);
  expect(ended).toMatchObject({ reason: "error", message: expect.stringMatching(/again in a while.*server_error/) });
  expect(drafts).toMatchObject([{ type: "error", data: { code: "internal_server_error" } }]);
});

test("a try that succeeds is no trouble any more", () => {
  expect(convertEvents(beginningState(), readRecording("retries")).state.turn.trouble).toBeUndefined();
});

test("ids go on after the server was lost, and what was open is forgotten", () => {
  const events = readRecording("interrupted");
  const running = events.slice(
    0,
    events.findIndex(({ type }) => type === "session.error"),
  );
  const first = convertEvents(beginningState(), running);
  expect(first.state.openParts.size).toBeGreaterThan(0);
  const second = convertEvents(afterLoss(first.state), running);
  expect(second.state.itemCount).toBe(2 * first.state.itemCount);
  expect(second.drafts.map(({ type }) => type)).toEqual(first.drafts.map(({ type }) => type));
});

test("a subagent that nobody told of belongs to the newest task", () => {
  const events = readRecording("subagent").map((one) => {
    const { part } = one.properties;
    const { sessionId: _, ...metadata } = part?.state?.metadata ?? {};
    return part
      ? { ...one, properties: { ...one.properties, part: { ...part, state: { ...part.state, metadata } } } }
      : one;
  });
  const items = convertEvents(beginningState(), events).drafts.flatMap((draft) =>
    draft.type === "item.completed" ? [draft.data.item] : [],
  );
  expect(items.filter(({ parent_id }) => parent_id === "i1")).toHaveLength(3);
});

test("an image that the model makes becomes a file", () => {
  const part = { id: "prt_9", sessionID: SESSION, type: "file", mime: "image/png", url: "data:image/png;base64,AAAA" };
  const { drafts, images } = convertEvents(beginningState(), [event("message.part.updated", { part })]);
  expect(images).toEqual([{ path: "/data/images/prt_9.png", base64: "AAAA" }]);
  expect(drafts.at(-1)?.data).toMatchObject({ item: { content: [{ type: "image", path: "/data/images/prt_9.png" }] } });
});

test("what the steps of a turn cost is added up without the tail of a sum of fractions", () => {
  const events = readRecording("tools").map((one) => {
    const { part } = one.properties;
    return part?.type === "step-finish"
      ? { ...one, properties: { ...one.properties, part: { ...part, cost: 0.0004 } } }
      : one;
  });
  const steps = events.filter(({ properties }) => properties.part?.type === "step-finish").length;
  const { ended } = convertEvents(beginningState(), events);
  expect(steps).toBeGreaterThan(2);
  expect(ended?.cost).toEqual({ amount: (steps * 4) / 10_000, currency: "USD" });
});

test("an unknown kind of part is reported and harms nothing", () => {
  const hologram = event("message.part.updated", { part: { type: "hologram", id: "h" } });
  const { drafts, ended } = convertEvents(beginningState(), [hologram, ...readRecording("refused")]);
  expect(drafts[0]).toMatchObject({ type: "agent.unparsed", raw: hologram.raw });
  expect(ended).toMatchObject({ reason: "error" });
});

test.each([
  "hologram.created",
  "message.updated",
  "message.part.updated",
  "message.part.delta",
  "session.status",
  "session.error",
  "session.idle",
  "session.compacted",
  "todo.updated",
  "permission.asked",
  "permission.replied",
  "question.asked",
  "question.rejected",
])("%s without any of its fields throws nothing", (type) => {
  expect(() => convertEvents(beginningState(), [{ type, properties: {}, raw: "{}" }])).not.toThrow();
});

function event(type: string, properties: EventProperties): OpencodeEvent {
  return { type, properties: { sessionID: SESSION, ...properties }, raw: `{"type":"${type}"}` };
}

function endings(start: OpencodeState, events: readonly OpencodeEvent[]): number[] {
  let state = start;
  return events.flatMap((one, at) => {
    const converted = convertEvents(state, [one]);
    state = converted.state;
    return converted.ended ? [at] : [];
  });
}

function indexOfFirstAsk(events: readonly OpencodeEvent[]): number {
  return events.findIndex(({ type }) => type === "permission.asked");
}

function withoutRaw({ raw: _, ...draft }: EventDraft): object {
  return draft;
}
