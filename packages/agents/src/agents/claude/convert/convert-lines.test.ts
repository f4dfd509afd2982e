import { readdirSync } from "node:fs";
import { type EventDraft, streamedText } from "@sandbox-agent-ts/protocol";
import { expect, test } from "vitest";
import { expectPiecewise } from "../../../contract/expect-piecewise.ts";
import { expectAllRead } from "../../../contract/expect-whole-turn.ts";
import { newClaudeState, type PlayedTurn, playRecording, readRecording } from "../__fixtures__/recording.ts";
import { beginTurn } from "./claude-state.ts";
import { convertLines } from "./convert-lines.ts";

const recordings = readdirSync(new URL("../__fixtures__/recordings/", import.meta.url))
  .filter((name) => name.endsWith(".jsonl"))
  .map((name) => name.slice(0, -".jsonl".length));

test.each(recordings)("the recording %s is told as it always was", async (name) => {
  const { turns } = playRecording(readRecording(name));
  await expect(tell(turns)).toMatchFileSnapshot(`../__fixtures__/recordings/${name}.events.txt`);
});

test.each(recordings)("of the recording %s nothing is unread, and every text is spelled by its deltas", (name) => {
  const drafts = playRecording(readRecording(name)).turns.flatMap((turn) => turn.drafts);
  expectAllRead(drafts);
  for (const draft of drafts) {
    if (draft.type !== "item.completed") continue;
    const { item } = draft.data;
    const spelled = deltasOf(drafts, item.item_id).join("");
    if (spelled !== "" || item.role === "assistant") expect(spelled).toBe(streamedText(item));
  }
});

test.each(recordings)(
  "of the recording %s every item that is started is completed once, unless it was interrupted",
  (name) => {
    const { turns, state } = playRecording(readRecording(name));
    const drafts = turns.flatMap((turn) => turn.drafts);
    const started = drafts.flatMap((draft) => (draft.type === "item.started" ? [draft.data.item.item_id] : []));
    const completed = drafts.flatMap((draft) => (draft.type === "item.completed" ? [draft.data.item.item_id] : []));
    const open = [...state.calls.values()].map(({ itemId }) => itemId);
    expect([...completed, ...open].sort()).toEqual([...started].sort());
  },
);

test("line by line gives what the whole batch gives, and no state is changed by its use", () => {
  const lines = readRecording("text-and-commands");
  const promptId = (JSON.parse(lines[1] as string) as { command_uuid: string }).command_uuid;
  expectPiecewise(lines, {
    begin: () => beginTurn(newClaudeState(), promptId),
    convert: convertLines,
  });
});

test.each(["not JSON", "null", '{"type":"news"}', '{"type":"system","subtype":"news"}', '{"type":"assistant"}'])(
  "the line %s is an unparsed event and harms nothing else",
  (line) => {
    const lines = readRecording("text-and-commands");
    const { turns } = playRecording([...lines.slice(0, 12), line, ...lines.slice(12)]);
    const drafts = turns.flatMap((turn) => turn.drafts);
    expect(drafts.filter(({ type }) => type === "agent.unparsed")).toMatchObject([{ raw: line }]);
    expect(turns[0]?.outcome).toMatchObject({ reason: "completed" });
  },
);

test("a session that is idle before it has read the prompt has not finished it", () => {
  const state = beginTurn(newClaudeState(), "p1");
  const idle = '{"type":"system","subtype":"session_state_changed","state":"idle"}';
  const started = '{"type":"command_lifecycle","command_uuid":"p1","state":"started"}';
  expect(convertLines(state, [idle]).outcome).toBeUndefined();
  expect(convertLines(state, [idle, started, idle]).outcome).toEqual({ reason: "completed" });
});

test("what the rounds of a turn cost is added up without the tail of a sum of fractions", () => {
  const result = (costUSD: number) => ({ type: "result", model_usage_since_last_result: { a: { costUSD } } });
  const lines = [
    { type: "command_lifecycle", command_uuid: "p1", state: "started" },
    result(0.0004),
    result(0.0008),
    { type: "system", subtype: "session_state_changed", state: "idle" },
  ];
  const { outcome } = convertLines(
    beginTurn(newClaudeState(), "p1"),
    lines.map((line) => JSON.stringify(line)),
  );
  expect(outcome?.cost).toEqual({ amount: 0.0012, currency: "USD" });
});

test("a request that is no question to a person is refused, so that the agent does not wait", () => {
  const ask = { type: "control_request", request_id: "r1", request: { subtype: "elicitation" } };
  const { replies, drafts } = convertLines(newClaudeState(), [JSON.stringify(ask)]);
  expect(drafts).toEqual([]);
  expect(replies).toMatchObject([{ type: "control_response", response: { subtype: "error", request_id: "r1" } }]);
});

test("an image that lies nowhere is kept in the images folder", () => {
  const call = { type: "tool_use", id: "toolu_1", name: "Screenshot", input: {} };
  const image = { type: "image", source: { type: "base64", media_type: "image/jpeg", data: "AAAA" } };
  const result = { type: "tool_result", tool_use_id: "toolu_1", content: [image] };
  const lines = [
    { type: "assistant", message: { content: [call] } },
    { type: "user", message: { content: [result] } },
  ];
  const { images, drafts } = convertLines(
    newClaudeState(),
    lines.map((line) => JSON.stringify(line)),
  );
  expect(images).toEqual([{ path: "/images/toolu_1-0.jpeg", base64: "AAAA" }]);
  expect(JSON.stringify(drafts.at(-1))).toContain("/images/toolu_1-0.jpeg");
});

function deltasOf(drafts: readonly EventDraft[], itemId: string): string[] {
  return drafts.flatMap((draft) =>
    draft.type === "item.delta" && draft.data.item_id === itemId ? [draft.data.delta] : [],
  );
}

/** A line for each event, so that a change is easy to read. */
function tell(turns: readonly PlayedTurn[]): string {
  const lines = turns.flatMap(({ drafts, outcome }) => [
    ...drafts.map(({ type, data }) => `${type} ${JSON.stringify(data)}`),
    `=> ${JSON.stringify(outcome ?? "between turns")}`,
  ]);
  return `${lines.join("\n")}\n`;
}
