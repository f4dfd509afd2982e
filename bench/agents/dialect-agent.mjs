#!/usr/bin/env node
// Stands in for an agent program in figures: it speaks the dialect of a real one as recorded, and answers "flood N SIZE"
// with N deltas as fast as they are read. With `floor DIALECT` it takes bare prompts and writes the deltas alone.
import { createInterface } from "node:readline";

const session = "00000000-0000-4000-8000-000000000002";
const turn = "00000000-0000-7000-8000-000000000003";
const uuid = "00000000-0000-4000-8000-000000000010";

const deltaLines = {
  claude: (text) => ({
    type: "stream_event",
    event: { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
    session_id: session,
    parent_tool_use_id: null,
    uuid,
    api_message_id: "msg_1",
  }),
  codex: (delta) => ({
    method: "item/agentMessage/delta",
    params: { threadId: session, turnId: turn, itemId: "msg_5", delta },
  }),
  acp: (text) => ({
    jsonrpc: "2.0",
    method: "session/update",
    params: { sessionId: session, update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } },
  }),
};

const write = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

/** The text of "flood N SIZE", or of one short delta for any other prompt, written as deltas. */
async function writeDeltas(dialect, prompt) {
  const [, count = "1", size = "20"] = /flood (\d+) (\d+)/.exec(prompt) ?? [];
  const text = "x".repeat(Number(size));
  const line = `${JSON.stringify(deltaLines[dialect](text))}\n`;
  const batch = Math.max(1, Math.floor(65_536 / line.length));
  for (let left = Number(count); left > 0; left -= batch) {
    const taken = process.stdout.write(line.repeat(Math.min(batch, left)));
    if (!taken) await new Promise((resolve) => process.stdout.once("drain", resolve));
  }
  return text.repeat(Number(count));
}

async function claude(message) {
  if (message.type === "control_request") {
    const { request_id } = message;
    write({ type: "control_response", response: { subtype: "success", request_id, response: { models: [] } } });
  }
  if (message.type !== "user") return;
  const of = { session_id: session, uuid, parent_tool_use_id: null };
  const event = (content) => write({ type: "stream_event", event: content, ...of, api_message_id: "msg_1" });
  const base = { id: "msg_1", type: "message", role: "assistant", model: "m", stop_reason: null, stop_sequence: null };
  const usage = { input_tokens: 10, output_tokens: 1 };
  const command = (state) => write({ type: "command_lifecycle", command_uuid: message.uuid, state, ...of });
  write({ type: "system", subtype: "session_state_changed", state: "running", ...of });
  command("started");
  write({
    type: "system",
    subtype: "init",
    cwd: process.cwd(),
    mcp_servers: [],
    model: "m",
    permissionMode: "default",
    ...of,
  });
  event({ type: "message_start", message: { ...base, content: [], usage } });
  event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } });
  const text = await writeDeltas("claude", JSON.stringify(message.message.content));
  write({ type: "assistant", message: { ...base, content: [{ type: "text", text }], usage }, ...of });
  event({ type: "content_block_stop", index: 0 });
  event({ type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage });
  event({ type: "message_stop" });
  write({
    type: "result",
    subtype: "success",
    is_error: false,
    num_turns: 1,
    result: "",
    usage,
    user_message_uuids: [message.uuid],
    ...of,
  });
  command("completed");
  write({ type: "system", subtype: "session_state_changed", state: "idle", ...of });
}

async function codex({ id, method, params }) {
  const whole = { id: turn, items: [], status: "inProgress", error: null };
  const answers = {
    "model/list": { data: [] },
    "config/read": { config: {} },
    "thread/start": { thread: { id: session }, model: "m" },
    "turn/start": { turn: whole },
  };
  if (id !== undefined) write({ id, result: answers[method] ?? {} });
  if (method !== "turn/start") return;
  const tell = (what, more) => write({ method: what, params: { threadId: session, turnId: turn, ...more } });
  const item = (text) => ({ type: "agentMessage", id: "msg_5", text, phase: null });
  tell("turn/started", { turn: whole });
  tell("item/started", { item: item("") });
  const text = await writeDeltas("codex", JSON.stringify(params.input));
  tell("item/completed", { item: item(text) });
  tell("turn/completed", { turn: { ...whole, status: "completed" } });
}

async function acp({ id, method, params }) {
  if (method === "session/prompt") await writeDeltas("acp", JSON.stringify(params.prompt));
  const answers = {
    initialize: { protocolVersion: 1, agentCapabilities: { loadSession: true }, authMethods: [] },
    "session/new": { sessionId: session },
    "session/prompt": { stopReason: "end_turn" },
  };
  if (id !== undefined) write({ jsonrpc: "2.0", id, result: answers[method] ?? {} });
}

const [first, floorDialect] = process.argv.slice(2);
const answering = { "app-server": codex, acp, floor: ({ text }) => writeDeltas(floorDialect, text) }[first] ?? claude;
if (process.argv.includes("--version")) {
  console.log("9.9.9");
} else {
  for await (const line of createInterface({ input: process.stdin })) await answering(JSON.parse(line));
}
