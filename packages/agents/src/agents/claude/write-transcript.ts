import type { ContentPart, UniversalEvent, UniversalItem } from "@sandbox-agent-ts/protocol";
import { inputOf, takenId, takenName } from "../../transcripts/foreign-call.ts";
import type { TranscriptAbout, TranscriptFile } from "../../transcripts/transcript-dialect.ts";
import { program } from "./program.ts";

type Block = Record<string, unknown>;

interface Message {
  readonly role: "user" | "assistant";
  readonly blocks: Block[];
}

/**
 * A conversation that happened elsewhere, with any agent → a transcript that `claude --resume` goes on with. Pure.
 *
 * Told are the words of both sides and the main conversation's tool calls with their results. Left out are reasoning, which
 * the model service takes only with its own signature, what subagents did (their call has their result), and states.
 */
export function writeTranscript(events: readonly UniversalEvent[], about: TranscriptAbout): TranscriptFile {
  const items = events.flatMap((event) => (event.type === "item.completed" ? [event.data.item] : []));
  const messages = answered(items.filter(({ parent_id }) => !parent_id).flatMap(toMessage));
  let parentUuid: string | null = null;
  const lines = messages.map((message) => {
    const entry = entryOf(message, parentUuid, about);
    parentUuid = entry.uuid;
    return `${JSON.stringify(entry)}\n`;
  });
  const folder = about.directory.replaceAll(/[^A-Za-z0-9]/g, "-");
  return { path: `projects/${folder}/${about.nativeSessionId}.jsonl`, text: lines.join("") };
}

function toMessage(item: UniversalItem): Message[] {
  const role = item.kind === "tool_result" || item.role === "user" ? "user" : "assistant";
  if (item.kind !== "message" && item.kind !== "tool_call" && item.kind !== "tool_result") return [];
  const blocks = item.content.flatMap((part) => toBlock(part, item.status === "failed"));
  return blocks.length === 0 ? [] : [{ role, blocks }];
}

function toBlock(part: ContentPart, failed: boolean): Block[] {
  switch (part.type) {
    case "text":
      return part.text.trim() === "" ? [] : [{ type: "text", text: part.text }];
    case "tool_call":
      return [
        { type: "tool_use", id: takenId(part.call_id), name: takenName(part.name), input: inputOf(part.arguments) },
      ];
    case "tool_result":
      return [{ type: "tool_result", tool_use_id: takenId(part.call_id), content: part.output, is_error: failed }];
    default:
      return [];
  }
}

/** The model service wants a result right after each call: calls and results that lack each other are mended. */
function answered(messages: readonly Message[]): Message[] {
  const results = new Map(
    messages.flatMap(({ blocks }) => blocks.filter(isResult).map((block) => [block.tool_use_id, block])),
  );
  return messages.flatMap(({ role, blocks }): Message[] => {
    const calls = blocks.filter((block) => block.type === "tool_use");
    if (calls.length > 0) {
      return [
        { role, blocks },
        { role: "user", blocks: calls.map(({ id }) => results.get(id) ?? lostResult(id)) },
      ];
    }
    const rest = blocks.filter((block) => !isResult(block));
    return rest.length === 0 ? [] : [{ role, blocks: rest }];
  });
}

function isResult(block: Block): boolean {
  return block.type === "tool_result";
}

function lostResult(tool_use_id: unknown): Block {
  return { type: "tool_result", tool_use_id, content: "The call was interrupted; it has no result.", is_error: true };
}

function entryOf({ role, blocks }: Message, parentUuid: string | null, about: TranscriptAbout) {
  const uuid = about.nextUuid();
  const common = {
    parentUuid,
    isSidechain: false,
    type: role,
    uuid,
    timestamp: about.time,
    userType: "external",
    entrypoint: "sdk-cli",
    cwd: about.directory,
    sessionId: about.nativeSessionId,
    version: program.version,
  };
  if (role === "user") return { ...common, message: { role, content: blocks } };
  const usage = { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  const stop_reason = blocks.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn";
  const id = `msg_${uuid.replaceAll("-", "")}`;
  const message = {
    id,
    type: "message",
    role,
    model: "<synthetic>",
    content: blocks,
    stop_reason,
    stop_sequence: null,
    usage,
  };
  return { ...common, message };
}
