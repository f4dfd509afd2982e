import { expect, test } from "vitest";
import type { ContentPart } from "../content-part.ts";
import { StreamWriter } from "../testing/stream-writer.ts";
import type { UniversalItem } from "../universal-item.ts";
import { applyToBlocks } from "./apply-to-blocks.ts";
import { createBlockState } from "./block-state.ts";
import type { BlockChange, ConversationBlock } from "./conversation-block.ts";
import { blocksOfEvents } from "./conversation-blocks.ts";

/** A log that is written item by item. */
class Log extends StreamWriter {
  constructor() {
    super("s");
  }
  start(item_id: string, item: Partial<UniversalItem>): void {
    this.write("item.started", { item: whole(item_id, { ...item, status: "in_progress" }) });
  }
  delta(item_id: string, delta: string): void {
    this.write("item.delta", { item_id, delta });
  }
  complete(item_id: string, item: Partial<UniversalItem>): void {
    this.write("item.completed", { item: whole(item_id, item) });
  }
  changes(): BlockChange[] {
    const state = createBlockState();
    return this.events.flatMap((event) => applyToBlocks(state, event));
  }
}

function whole(item_id: string, item: Partial<UniversalItem>): UniversalItem {
  return { item_id, kind: "message", role: "assistant", status: "completed", content: [], ...item };
}

const call = (call_id: string, args = "{}"): ContentPart => ({
  type: "tool_call",
  name: "shell",
  arguments: args,
  call_id,
});
const result = (call_id: string, output: string): ContentPart => ({ type: "tool_result", call_id, output });
const text = (words: string): ContentPart => ({ type: "text", text: words });
const user = (words: string): Partial<UniversalItem> => ({ role: "user", content: [text(words)] });
const calling = (part: ContentPart): Partial<UniversalItem> => ({ kind: "tool_call", content: [part] });
const resulting = (part: ContentPart): Partial<UniversalItem> => ({
  kind: "tool_result",
  role: "tool",
  content: [part],
});

const brief = ({ id, type }: ConversationBlock): string => `${type} ${id}`;
const told = (change: BlockChange): string => {
  const more =
    change.type === "delta"
      ? ` ${change.field} ${change.delta}`
      : change.type === "update"
        ? ` ${JSON.stringify(change.updates)}`
        : "";
  return `${change.type} ${change.conversationId} ${change.blockId}${more}`;
};

test("a tool goes from pending to running to its result, with what it prints on the way", () => {
  const log = new Log();
  log.start("i1", calling(call("c1", "")));
  log.delta("i1", '{"a":');
  log.delta("i1", "1}");
  log.start("i2", {
    kind: "status",
    role: "tool",
    parent_id: "i1",
    content: [{ type: "status", label: "Output so far" }, text("")],
  });
  log.delta("i2", "one\n");
  log.complete("i2", {
    kind: "status",
    role: "tool",
    parent_id: "i1",
    content: [{ type: "status", label: "Output so far" }, text("one\n")],
  });
  log.complete("i1", calling(call("c1", '{"a":1}')));
  log.start("i3", resulting(result("c1", "")));
  log.complete("i3", { ...resulting(result("c1", "one\ntwo\n")), status: "failed" });
  expect(log.changes().map(told)).toEqual([
    "start main c1:tool",
    'delta main c1:tool input {"a":',
    "delta main c1:tool input 1}",
    'update main c1:tool {"status":"running"}',
    "delta main c1:tool output one\n",
    "complete main c1:tool",
  ]);
  const { blocks, subagents } = blocksOfEvents(log.events);
  expect(blocks).toEqual([
    {
      type: "tool_use",
      id: "c1:tool",
      conversationId: "main",
      timestamp: log.events[0]?.time,
      callId: "c1",
      name: "shell",
      input: '{"a":1}',
      status: "error",
      output: "one\ntwo\n",
      attachments: [],
    },
  ]);
  expect(subagents).toEqual([]);
});

test("a call without a result ends with its turn, and nobody says that it succeeded", () => {
  const log = new Log();
  log.start("i1", calling(call("c1")));
  log.complete("i1", calling(call("c1")));
  expect(blocksOfEvents(log.events).blocks).toMatchObject([{ status: "running", output: null }]);
  log.write("turn.ended", { phase: "ended", turn_id: "t", metadata: { reason: "completed" } }, "daemon");
  expect(blocksOfEvents(log.events).blocks).toMatchObject([{ status: "error", output: null }]);
});

test("a permission holds a tool up; approved it runs", () => {
  const log = new Log();
  log.start("i1", calling(call("c1")));
  const request = { permission_id: "p1", action: "run it", call_id: "c1", item_id: "i1" };
  log.write("permission.requested", { ...request, status: "requested" });
  expect(blocksOfEvents(log.events).blocks).toMatchObject([
    { type: "tool_use", status: "pending" },
    { type: "permission", id: "p1:permission", status: "pending", request },
  ]);
  log.write("permission.resolved", { ...request, status: "approved", reply: "once", resolved_by: "person" });
  expect(blocksOfEvents(log.events).blocks).toMatchObject([
    { type: "tool_use", status: "running" },
    { type: "permission", status: "approved", reply: "once", resolvedBy: "person", request: { status: "requested" } },
  ]);
});

test("a subagent is a conversation of its own, named by the block that started it, and so is one that it starts", () => {
  const log = new Log();
  log.start("u1", user("go"));
  log.start("i1", calling(call("c1")));
  log.start("i2", { ...calling(call("c2")), parent_id: "i1" });
  log.start("i3", { content: [text("")], parent_id: "i2" });
  log.delta("i3", "deep");
  log.start("i4", { content: [text("")] });
  log.delta("i4", "meanwhile");
  expect(blocksOfEvents(log.events)).toMatchObject({
    blocks: [{ type: "user_message" }, { id: "c1:tool", subagentId: "c1", status: "running" }, { text: "meanwhile" }],
    subagents: [
      { id: "c1", blocks: [{ id: "c2:tool", subagentId: "c2", conversationId: "c1" }] },
      { id: "c2", blocks: [{ text: "deep", conversationId: "c2" }] },
    ],
  });
  const state = createBlockState();
  const deltas = log.events.flatMap((event) => applyToBlocks(state, event)).filter(({ type }) => type === "delta");
  expect(deltas.map(({ conversationId }) => conversationId)).toEqual(["c2", "main"]);
});

test("blocks are named after the agent's ids, and without any after their place", () => {
  const log = new Log();
  log.complete("u1", user("one"));
  log.complete("i1", { native_item_id: "m1", content: [{ type: "reasoning", text: "hm", visibility: "public" }] });
  log.complete("i2", { native_item_id: "m1", content: [text("first")] });
  log.complete("i3", { native_item_id: "m1", content: [text("second")] });
  log.complete("i4", calling(call("c1")));
  log.complete("i5", { content: [text("third")] });
  log.complete("i6", { kind: "status", role: "system", content: [{ type: "status", label: "Compacted" }] });
  log.complete("u2", { ...user("two"), native_item_id: "of the file only" });
  log.complete("i7", { content: [{ type: "reasoning", text: "hm", visibility: "public" }, text("fourth")] });
  log.write("error", { message: "oh" });
  expect(blocksOfEvents(log.events).blocks.map(brief)).toEqual([
    "user_message user-1:message",
    "thinking m1:thinking",
    "assistant_text m1:2:text",
    "assistant_text m1:3:text",
    "tool_use c1:tool",
    "assistant_text c1/assistant-1:text",
    "system c1/compacted-1:status",
    "user_message user-2:message",
    "thinking user-2/assistant-1:thinking",
    "assistant_text user-2/assistant-1:text",
    "error user-2/error-1",
  ]);
});

test("what is shown late stands where its item began", () => {
  const log = new Log();
  log.start("i1", { content: [] });
  log.start("i2", { content: [] });
  log.delta("i2", "second");
  log.delta("i1", "first");
  expect(blocksOfEvents(log.events).blocks).toMatchObject([{ text: "first" }, { text: "second" }]);
});

test("the error that a turn ends with is told once", () => {
  const log = new Log();
  const end = (message: string) =>
    log.write("turn.ended", { phase: "ended", turn_id: "t", metadata: { reason: "error", message } }, "daemon");
  log.write("error", { message: "no key", code: "unauthorized" });
  end("no key");
  end("the sandbox is gone");
  expect(blocksOfEvents(log.events).blocks).toMatchObject([
    { type: "error", message: "no key", code: "unauthorized" },
    { type: "error", message: "the sandbox is gone" },
  ]);
});

test("files and images go with what they were told with", () => {
  const image = { type: "image", path: "/a.png", mime: "image/png" } as const;
  const file = { type: "file_ref", path: "/a.txt", action: "patch", diff: "+a" } as const;
  const log = new Log();
  log.complete("u1", { role: "user", content: [text("look"), image] });
  log.complete("i1", calling(call("c1")));
  log.complete("i2", { ...resulting(result("c1", "done")), content: [result("c1", "done"), file] });
  log.complete("i3", { content: [image] });
  expect(blocksOfEvents(log.events).blocks).toMatchObject([
    { type: "user_message", text: "look", attachments: [image] },
    { type: "tool_use", output: "done", attachments: [file] },
    { type: "assistant_text", text: "", attachments: [image] },
  ]);
});

test("a result whose call is not in the log is shown, and one that comes too late changes nothing", () => {
  const log = new Log();
  log.complete("i1", resulting(result("lost", "found")));
  log.complete("u1", user("next"));
  log.complete("i2", resulting(result("lost", "again")));
  expect(blocksOfEvents(log.events).blocks).toMatchObject([
    { id: "lost:tool", type: "tool_use", name: "", output: "found", status: "success" },
    { type: "user_message" },
  ]);
});
