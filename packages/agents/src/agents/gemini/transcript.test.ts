import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { UniversalItem } from "@sandbox-agent-ts/protocol";
import { expect, onTestFinished, test } from "vitest";
import { beginningState } from "../../acp/__fixtures__/describe-recordings.ts";
import type { AcpPlace } from "../../acp/acp-agent.ts";
import { convertCalls } from "../../acp/convert/convert-calls.ts";
import { endTurn } from "../../acp/convert/end-turn.ts";
import { type RecordedRun, recordedRun } from "./__fixtures__/recorded-run.ts";
import { completeCall } from "./complete-call.ts";
import { quirks } from "./quirks.ts";
import { parseTranscript } from "./transcript.ts";

const SESSION = "00000000-0000-4000-8000-000000000001";

/** The same run, once as it was streamed and once as it lies on disk. */
test.each(["tools", "plan", "subagent", "interrupted-command"])(
  "the chat of %s has the items of its stream",
  async (name) => {
    const run = recordedRun(name);
    const told = parseTranscript(run.chat, { itemPrefix: "t", companions: run.companions });
    expect(comparable(told)).toEqual(comparable(await streamed(run)));
  },
);

test("a person's refusal is kept, though the program records no call", () => {
  const items = parseTranscript(recordedRun("permissions").chat);
  expect(items.map(({ kind, status }) => `${kind} ${status}`)).toEqual([
    "message completed",
    "tool_call completed",
    "tool_result completed",
    "tool_call failed",
    "tool_result failed",
    "tool_call completed",
    "tool_result completed",
    "message completed",
  ]);
  expect(JSON.stringify(items[4])).toContain("was canceled by the user");
});

test("the user's own words are told, and nothing that was put into the user's mouth", () => {
  const users = parseTranscript(recordedRun("tools").chat).filter(({ role }) => role === "user");
  expect(users.map(({ content }) => content)).toEqual([[{ type: "text", text: "Do it." }]]);
});

test("a line that was cut off changes nothing", () => {
  const { chat } = recordedRun("tools");
  expect(parseTranscript(`${chat}{"id":"x","type":"gem`)).toEqual(parseTranscript(chat));
});

/** What the adapter makes of the recording, with the chat where the program would have it. */
async function streamed({ calls, chat, companions }: RecordedRun): Promise<UniversalItem[]> {
  const home = await mkdtemp(join(tmpdir(), "gemini-chat-"));
  onTestFinished(() => rm(home, { recursive: true }));
  const chats = join(home, ".gemini", "tmp", "workspace", "chats");
  await mkdir(join(chats, SESSION), { recursive: true });
  await writeFile(join(chats, `session-2026-01-01T00-00-${SESSION.slice(0, 8)}.jsonl`), chat);
  for (const { text } of companions) await writeFile(join(chats, SESSION, "a.jsonl"), text);
  const place = { env: { HOME: home } } as unknown as AcpPlace;
  const whole = await Promise.all(calls.map((call) => completeCall(place, call) ?? call));
  const { state, drafts } = convertCalls(beginningState(quirks, { permissionMode: "plan" }), whole);
  const ended = endTurn(state, { result: { stopReason: "end_turn" } }, false);
  return [...drafts, ...ended.drafts].flatMap((draft) => (draft.type === "item.completed" ? [draft.data.item] : []));
}

/** Told by both: not the user's words, which the daemon writes, no states, and images wherever they lie. */
function comparable(items: readonly UniversalItem[]): object[] {
  const nativeIds = new Map(items.map((item) => [item.item_id, item.native_item_id]));
  const own = items.filter(({ kind, role }) => kind !== "status" && role !== "user");
  return own
    .map(({ item_id: _, parent_id, content, ...item }) => ({
      ...item,
      parent: parent_id ? nativeIds.get(parent_id) : undefined,
      content: content.map((part) => (part.type === "image" ? { ...part, path: "somewhere" } : part)),
    }))
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}
