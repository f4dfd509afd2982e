import type { ItemTold, UniversalItem } from "@sandbox-agent-ts/protocol";
import { readFileList } from "../../attachments/file-list.ts";
import { completedOf, timeOf, toldItems } from "../../transcripts/told-items.ts";
import type { ParseOptions } from "../../transcripts/transcript-dialect.ts";
import { createOpencodeState, type OpencodeState } from "./convert/opencode-state.ts";
import { convertEvents } from "./convert.ts";
import type { MessageInfo, NativeTranscript, OpencodeEvent, Part, ToolState } from "./dialect.ts";

const CUT_OFF = "The tool did not come to an end.";

/**
 * A conversation as `opencode export` prints it → what its stream would have told, the user's own messages among it.
 * Pure. What only a running program says (retries, requests) is not there; what subagents did is in exports of
 * their own, the `companions`.
 */
export function readTranscript(text: string, options: ParseOptions = {}): ItemTold[] {
  const { itemPrefix = "item-", imagesDir = "images", companions = [] } = options;
  const main = readExport(text);
  const subagents = new Map(companions.map((file) => readExport(file.text)).map((read) => [read.info?.id ?? "", read]));
  const setting = { itemPrefix, imagesDir, directory: main.info?.directory ?? "/", mcpServers: [] };
  let state: OpencodeState = { ...createOpencodeState(setting), sessionId: main.info?.id };
  return (main.messages ?? []).flatMap(({ info = {}, parts = [] }) => {
    const said = info.role === "user" ? userContent(parts) : [];
    if (said.length > 0) {
      state = { ...state, itemCount: state.itemCount + 1 };
      const item = userMessage(`${itemPrefix}${state.itemCount}`, info, said);
      return [{ type: "item.completed" as const, data: { item }, time: timeOf(info.time?.created) }];
    }
    const converted = convertEvents(state, inTime(messageEvents(info, parts, subagents)));
    state = converted.state;
    return converted.drafts.flatMap((draft) => toldItems([draft], timeOf(Number(draft.raw || Number.NaN))));
  });
}

export function parseTranscript(text: string, options: ParseOptions = {}): UniversalItem[] {
  return completedOf(readTranscript(text, options));
}

type Transcripts = ReadonlyMap<string, NativeTranscript>;

interface TimedEvent {
  /** Milliseconds since the epoch; where nobody says so, right after the one before. */
  readonly at?: number | undefined;
  readonly event: OpencodeEvent;
}

/** As they were told: what ran at the same time is written down one after the other. Their raw text is their time. */
function inTime(events: readonly TimedEvent[]): OpencodeEvent[] {
  let before = 0;
  const timed = events.map(({ at = before, event }) => {
    before = at;
    return { at, event };
  });
  return timed
    .sort((one, other) => one.at - other.at)
    .map(({ at, event }) => ({ ...event, raw: at ? String(at) : "" }));
}

/** The events that told the same while the program ran. */
function messageEvents(info: MessageInfo, parts: readonly Part[], subagents: Transcripts): TimedEvent[] {
  const sessionID = info.sessionID ?? "";
  const isSummary = parts.some(({ type }) => type === "compaction");
  return [
    event("message.updated", { sessionID, info }, info.time?.created),
    ...(isSummary ? [event("session.compacted", { sessionID })] : []),
    ...parts.flatMap((part) => partEvents(part, subagents)),
  ];
}

function partEvents(part: Part, subagents: Transcripts): TimedEvent[] {
  const told = (changed: Partial<Part>, at: number | undefined) =>
    event("message.part.updated", { part: { ...part, ...changed } }, at);
  if (part.type !== "tool") {
    return [...spokenEvents(part), told({ time: { end: 0, ...part.time } }, part.time?.end)];
  }
  const { state = {}, sessionID = "" } = part;
  if (state.status === "pending") return [];
  const { messages = [] } = subagents.get(state.metadata?.sessionId ?? "") ?? {};
  return [
    ...(part.tool === "todowrite"
      ? [event("todo.updated", { sessionID, todos: todosOf(state) }, state.time?.start)]
      : []),
    told({ state: { ...state, status: "running", metadata: withoutOutput(state) } }, state.time?.start),
    ...messages.flatMap(({ info = {}, parts = [] }) => messageEvents(info, parts, subagents)),
    told(
      { state: state.status === "running" ? { ...state, status: "error", error: CUT_OFF } : state },
      state.time?.end,
    ),
  ];
}

/** A text stands where it began: a tool may have begun before its end. */
function spokenEvents(part: Part): TimedEvent[] {
  const { id, type, text, time, sessionID, messageID } = part;
  if ((type !== "text" && type !== "reasoning") || !text || time?.start === undefined || id === undefined) return [];
  const { end: _, ...begun } = time;
  const place = { ...(sessionID ? { sessionID } : {}), ...(messageID ? { messageID } : {}) };
  return [
    event("message.part.updated", { part: { ...part, text: "", time: begun } }, time.start),
    event("message.part.delta", { ...place, partID: id, field: "text", delta: text }, time.start),
  ];
}

/** The export has the output of a command as it was in the end. */
function withoutOutput({ metadata = {} }: ToolState): NonNullable<ToolState["metadata"]> {
  const { output: _, ...rest } = metadata;
  return rest;
}

function event(type: string, properties: OpencodeEvent["properties"], at?: number): TimedEvent {
  return { at, event: { type, properties, raw: "" } };
}

function todosOf({ input = {} }: ToolState): NonNullable<OpencodeEvent["properties"]["todos"]> {
  return Array.isArray(input.todos) ? input.todos : [];
}

const readBefore = /^Called the Read tool with the following input: \{"filePath":"(.*)"\}$/s;

/**
 * What the user said and attached. Of an image OpenCode keeps the bytes, and says before it, in words of its own, where it
 * was; other words of its own are not the user's.
 */
function userContent(parts: readonly Part[]): UniversalItem["content"] {
  const own = parts.filter(({ type, synthetic }) => type === "text" && !synthetic);
  const files = parts.flatMap((part, at): UniversalItem["content"] => {
    if (part.type !== "file" || part.synthetic) return [];
    const { mime = "" } = part;
    const path = pathOf(part, parts[at - 1]?.text);
    return mime.startsWith("image/") ? [{ type: "image", path, mime }] : [{ type: "file_ref", path, action: "read" }];
  });
  return [...readFileList(own.map(({ text = "" }) => text).join("\n")), ...files];
}

function pathOf({ url = "", filename = "" }: Part, before = ""): string {
  return url.startsWith("file:")
    ? decodeURIComponent(new URL(url).pathname)
    : (readBefore.exec(before)?.[1] ?? filename);
}

function userMessage(itemId: string, { id }: MessageInfo, content: UniversalItem["content"]): UniversalItem {
  return {
    item_id: itemId,
    ...(id === undefined ? {} : { native_item_id: id }),
    kind: "message",
    role: "user",
    status: "completed",
    content,
  };
}

/** What is not an export is an empty one. */
function readExport(text: string): NativeTranscript {
  try {
    const { info, messages } = (JSON.parse(text) ?? {}) as NativeTranscript;
    return { ...(info ? { info } : {}), messages: Array.isArray(messages) ? messages.filter(Boolean) : [] };
  } catch {
    return {};
  }
}
