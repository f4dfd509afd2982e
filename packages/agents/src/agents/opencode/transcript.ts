import type { UniversalItem } from "@sandbox-agent-ts/protocol";
import type { ParseOptions } from "../../transcripts/transcript-dialect.ts";
import { createOpencodeState, type OpencodeState } from "./convert/opencode-state.ts";
import { convertEvents } from "./convert.ts";
import type { MessageInfo, NativeTranscript, OpencodeEvent, Part, ToolState } from "./dialect.ts";

const CUT_OFF = "The tool did not come to an end.";

/**
 * A conversation as `opencode export` prints it → the items its stream would have told, the user's own messages among
 * them. Pure. What only a running program says (retries, requests) is not there; what subagents did is in exports of
 * their own, the `companions`.
 */
export function parseTranscript(text: string, options: ParseOptions = {}): UniversalItem[] {
  const { itemPrefix = "item-", imagesDir = "images", companions = [] } = options;
  const main = readTranscript(text);
  const subagents = new Map(
    companions.map((file) => readTranscript(file.text)).map((read) => [read.info?.id ?? "", read]),
  );
  const setting = { itemPrefix, imagesDir, directory: main.info?.directory ?? "/", mcpServers: [] };
  let state: OpencodeState = { ...createOpencodeState(setting), sessionId: main.info?.id };
  return (main.messages ?? []).flatMap(({ info = {}, parts = [] }) => {
    const said = info.role === "user" ? userText(parts) : "";
    if (said !== "") {
      state = { ...state, itemCount: state.itemCount + 1 };
      return [userMessage(`${itemPrefix}${state.itemCount}`, info, said)];
    }
    const converted = convertEvents(state, messageEvents(info, parts, subagents));
    state = converted.state;
    return converted.drafts.flatMap((draft) => (draft.type === "item.completed" ? [draft.data.item] : []));
  });
}

type Transcripts = ReadonlyMap<string, NativeTranscript>;

/** The events that told the same while the program ran. */
function messageEvents(info: MessageInfo, parts: readonly Part[], subagents: Transcripts): OpencodeEvent[] {
  const sessionID = info.sessionID ?? "";
  const isSummary = parts.some(({ type }) => type === "compaction");
  return [
    event("message.updated", { sessionID, info }),
    ...(isSummary ? [event("session.compacted", { sessionID })] : []),
    ...parts.flatMap((part) => partEvents(part, subagents)),
  ];
}

function partEvents(part: Part, subagents: Transcripts): OpencodeEvent[] {
  const told = (changed: Partial<Part>) => event("message.part.updated", { part: { ...part, ...changed } });
  if (part.type !== "tool") return [told({ time: { end: 0, ...part.time } })];
  const { state = {}, sessionID = "" } = part;
  if (state.status === "pending") return [];
  const { messages = [] } = subagents.get(state.metadata?.sessionId ?? "") ?? {};
  return [
    ...(part.tool === "todowrite" ? [event("todo.updated", { sessionID, todos: todosOf(state) })] : []),
    told({ state: { ...state, status: "running" } }),
    ...messages.flatMap(({ info = {}, parts = [] }) => messageEvents(info, parts, subagents)),
    told({ state: state.status === "running" ? { ...state, status: "error", error: CUT_OFF } : state }),
  ];
}

function event(type: string, properties: OpencodeEvent["properties"]): OpencodeEvent {
  return { type, properties, raw: "" };
}

function todosOf({ input = {} }: ToolState): NonNullable<OpencodeEvent["properties"]["todos"]> {
  return Array.isArray(input.todos) ? input.todos : [];
}

/** What OpenCode itself adds to a message is not the user's. */
function userText(parts: readonly Part[]): string {
  const own = parts.filter(({ type, synthetic }) => type === "text" && !synthetic);
  return own.map(({ text = "" }) => text).join("\n");
}

function userMessage(itemId: string, { id }: MessageInfo, text: string): UniversalItem {
  return {
    item_id: itemId,
    ...(id === undefined ? {} : { native_item_id: id }),
    kind: "message",
    role: "user",
    status: "completed",
    content: [{ type: "text", text }],
  };
}

/** What is not an export is an empty one. */
function readTranscript(text: string): NativeTranscript {
  try {
    const { info, messages } = (JSON.parse(text) ?? {}) as NativeTranscript;
    return { ...(info ? { info } : {}), messages: Array.isArray(messages) ? messages.filter(Boolean) : [] };
  } catch {
    return {};
  }
}
