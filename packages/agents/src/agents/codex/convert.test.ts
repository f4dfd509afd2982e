import type { EventDraft } from "@sandbox-agent-ts/protocol";
import { describe, expect, test } from "vitest";
import { expectPiecewise } from "../../contract/expect-piecewise.ts";
import { expectAllRead, expectWholeTurn } from "../../contract/expect-whole-turn.ts";
import { beginningState, readRecording, recordings, THREAD } from "./__fixtures__/recordings.ts";
import { usesOf } from "./convert/allowed-uses.ts";
import { afterLoss } from "./convert/codex-state.ts";
import { convertCalls } from "./convert.ts";

describe.each(recordings)("the recording %s", (name) => {
  const calls = readRecording(name);

  test("becomes these events", () => {
    const { drafts, images, answers, refused, ended } = convertCalls(beginningState(), calls);
    expect({ events: drafts.map(withoutRaw), images, answers, refused, ended }).toMatchSnapshot();
  });

  test("keeps the schema and the invariants of a stream", () => {
    const { drafts } = convertCalls(beginningState(), calls);
    expectWholeTurn(drafts);
    expectAllRead(drafts);
  });

  test("is the same call by call, and changes no state it was given", () => {
    expectPiecewise(calls, { begin: beginningState, convert: convertCalls });
  });
});

test("a turn ends when its subagents have ended, and not before", () => {
  const calls = readRecording("subagent");
  const ownEnd = calls.findIndex(({ method, params }) => {
    return method === "turn/completed" && (params as { threadId: string }).threadId === THREAD;
  });
  expect(ownEnd).toBeLessThan(calls.length - 1);
  expect(convertCalls(beginningState(), calls.slice(0, ownEnd + 1)).ended).toBeUndefined();
  expect(convertCalls(beginningState(), calls).ended).toMatchObject({ reason: "completed" });
});

test("edits inside of the directory are accepted in mode acceptEdits, commands are asked about", () => {
  const { drafts, answers } = convertCalls(
    beginningState({ permissionMode: "acceptEdits", isInside: (path) => path.startsWith("/workspace/") }),
    readRecording("approvals"),
  );
  expect(drafts.filter(({ type }) => type === "permission.requested")).toHaveLength(2);
  expect(answers).toEqual([
    { id: 2, result: { decision: "accept" } },
    { id: 3, result: { decision: "accept" } },
  ]);
});

test("edits outside of the directory are asked about in mode acceptEdits", () => {
  const elsewhere = beginningState({
    permissionMode: "acceptEdits",
    isInside: (path) => path.startsWith("/workspace/deeper/"),
  });
  expect(convertCalls(elsewhere, readRecording("approvals")).answers).toEqual([]);
});

test("in mode plan everything is declined without asking", () => {
  const { drafts, answers } = convertCalls(beginningState({ permissionMode: "plan" }), readRecording("approvals"));
  expect(drafts.filter(({ type }) => type === "permission.requested")).toEqual([]);
  expect(answers.map(({ result }) => result)).toEqual(new Array(4).fill({ decision: "decline" }));
});

test("what was allowed for always is answered without asking, also after the server was lost", () => {
  const asked = convertCalls(beginningState(), readRecording("approvals")).drafts.flatMap((draft) =>
    draft.type === "permission.requested" ? [draft.data.metadata as object] : [],
  );
  const allowed = new Set(usesOf(asked[0] ?? {}));
  const before = { ...afterLoss({ ...beginningState(), allowed }), threadId: THREAD };
  const { drafts, answers } = convertCalls(before, readRecording("approvals"));
  expect(answers.map(({ result }) => result)).toEqual([{ decision: "accept" }]);
  const told = drafts.flatMap((draft) => (draft.type === "permission.resolved" ? [draft.data] : []));
  expect(told.filter(({ resolved_by }) => resolved_by === "remembered")).toMatchObject([
    { status: "approved", reply: "always", kind: "execute", item_id: "i1" },
  ]);
  expect(drafts.filter(({ type }) => type === "permission.requested")).toHaveLength(asked.length - 1);
});

test("ids go on after the server was lost, and what was open is forgotten", () => {
  const calls = readRecording("interrupted").slice(0, 9);
  const first = convertCalls(beginningState(), calls);
  expect(first.state.openItems.size).toBeGreaterThan(0);
  const second = convertCalls(afterLoss(first.state), calls);
  expect(second.state.itemCount).toBe(2 * first.state.itemCount);
  expect(second.drafts.map(({ type }) => type)).toEqual(first.drafts.map(({ type }) => type));
});

test.each([
  ["an unknown notification", { method: "item/hologram/delta", params: { threadId: THREAD } }],
  ["an unknown item", { method: "item/completed", params: { threadId: THREAD, item: { type: "hologram", id: "h" } } }],
])("%s is reported and harms nothing", (_what, message) => {
  const raw = JSON.stringify(message);
  const { drafts, ended } = convertCalls(beginningState(), [{ ...message, raw }, ...readRecording("refused")]);
  expect(drafts[0]).toMatchObject({ type: "agent.unparsed", raw });
  expect(ended).toMatchObject({ reason: "error" });
});

test("an image of an MCP server is of the kind that the server says", () => {
  const result = { content: [{ type: "image", data: "AAAA", mimeType: "image/svg+xml" }] };
  const item = { type: "mcpToolCall", id: "m", server: "s", tool: "t", status: "completed", result };
  const call = { method: "item/completed", params: { threadId: THREAD, item }, raw: "{}" };
  const { drafts, images } = convertCalls(beginningState(), [call]);
  const shown = { type: "image", path: images[0]?.path, mime: "image/svg+xml" };
  expect(drafts.at(-1)?.data).toMatchObject({ item: { content: expect.arrayContaining([shown]) } });
});

test("a request nobody understands is refused, so that nothing hangs", () => {
  const call = { method: "attestation/generate", params: { threadId: THREAD }, id: 0, raw: "{}" };
  expect(convertCalls(beginningState(), [call])).toMatchObject({ refused: [0], drafts: [], answers: [] });
});

test.each([
  "item/started",
  "item/completed",
  "turn/completed",
  "error",
  "item/agentMessage/delta",
  "turn/plan/updated",
])("%s without any of its fields throws nothing", (method) => {
  expect(() => convertCalls(beginningState(), [{ method, params: undefined, raw: "{}" }])).not.toThrow();
});

function withoutRaw({ raw: _, ...draft }: EventDraft): object {
  return draft;
}
