import { type EventDraft, streamedText } from "@sandbox-agent-ts/protocol";
import { expect, test } from "vitest";
import { expectPiecewise } from "../../../contract/expect-piecewise.ts";
import { expectAllRead } from "../../../contract/expect-whole-turn.ts";
import { readRecording, recordings } from "../__fixtures__/recording.ts";
import { beginTurn, createAmpState } from "./amp-state.ts";
import { convertLines } from "./convert-lines.ts";

const start = createAmpState("item-", "/images");

test.each(recordings)("the recording %s is told as it always was", async (name) => {
  const { drafts, state, images, nativeSessionId } = convertLines(start, readRecording(name));
  const told = [
    ...drafts.map(({ raw: _, ...draft }) => JSON.stringify(draft)),
    JSON.stringify({ usage: state.usage, result: state.result?.subtype, images, nativeSessionId }),
  ];
  await expect(`${told.join("\n")}\n`).toMatchFileSnapshot(`../__fixtures__/recordings/${name}.events.txt`);
});

test.each(recordings)(
  "of the recording %s nothing is unread, and what is started is completed once or still open",
  (name) => {
    const { drafts, state } = convertLines(start, readRecording(name));
    expectAllRead(drafts);
    const started = drafts.flatMap((draft) => (draft.type === "item.started" ? [draft.data.item.item_id] : []));
    const completed = drafts.flatMap((draft) => (draft.type === "item.completed" ? [draft.data.item.item_id] : []));
    const open = Array.from(state.calls.values(), ({ itemId }) => itemId);
    expect([...completed, ...open].sort()).toEqual([...started].sort());
  },
);

test.each(recordings)("in the recording %s every word of the model is spelled by deltas", (name) => {
  const { drafts } = convertLines(start, readRecording(name));
  for (const draft of drafts) {
    if (draft.type !== "item.completed" || draft.data.item.role !== "assistant") continue;
    expect(deltasOf(drafts, draft.data.item.item_id)).toBe(streamedText(draft.data.item));
  }
});

test("line by line gives what the whole batch gives, and no state is changed by its use", () => {
  expectPiecewise(readRecording("commands"), {
    begin: () => createAmpState("item-", "/images"),
    convert: convertLines,
  });
});

test("the next turn goes on counting items, and knows nothing else of this one", () => {
  const { state } = convertLines(start, readRecording("interrupted"));
  expect(state.calls.size).toBe(1);
  expect(beginTurn(state)).toEqual({ ...start, itemCount: state.itemCount });
});

test("a tool that a rule refused has failed, whatever Amp calls it", () => {
  const { drafts } = convertLines(start, readRecording("refusals"));
  const results = drafts.flatMap((draft) =>
    draft.type === "item.completed" && draft.data.item.kind === "tool_result" ? [draft.data.item.status] : [],
  );
  expect(results).toEqual(["failed", "failed"]);
});

test("an image of an MCP server is kept before it is named", () => {
  const { images, drafts } = convertLines(start, readRecording("mcp"));
  expect(images).toEqual([{ path: expect.stringMatching(/^\/images\/TU-\w+-1\.png$/), base64: expect.any(String) }]);
  expect(JSON.stringify(drafts)).toContain(images[0]?.path);
});

test.each(["not JSON", "null", '{"type":"news"}', '{"type":"assistant","message":{"content":[null]}}'])(
  "the line %s is an unparsed event and harms nothing else",
  (line) => {
    const lines = readRecording("commands");
    const { drafts, state } = convertLines(start, [...lines.slice(0, 2), line, ...lines.slice(2)]);
    expect(drafts.filter(({ type }) => type === "agent.unparsed")).toMatchObject([{ raw: line }]);
    expect(state.result).toMatchObject({ subtype: "success" });
  },
);

test.each(["", '{"type":"assistant"}', '{"type":"user","message":{"content":"hi"}}', '{"type":"system"}'])(
  "the line %j says nothing",
  (line) => {
    expect(convertLines(start, [line])).toEqual({ state: start, drafts: [], images: [] });
  },
);

function deltasOf(drafts: readonly EventDraft[], itemId: string): string {
  const deltas = drafts.flatMap((draft) =>
    draft.type === "item.delta" && draft.data.item_id === itemId ? [draft] : [],
  );
  return deltas.map(({ data }) => data.delta).join("");
}
