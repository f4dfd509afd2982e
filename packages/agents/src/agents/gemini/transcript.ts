import type { ContentPart, ItemStatus, ItemTold, UniversalItem } from "@sandbox-agent-ts/protocol";
import { diffTexts } from "../../diff/unified-diff.ts";
import { completedOf, timeOf } from "../../transcripts/told-items.ts";
import type { ParseOptions } from "../../transcripts/transcript-dialect.ts";
import { type ChatMessage, type ChatToolCall, partsOf } from "./chat/chat-record.ts";
import { type ChatStep, chatSteps } from "./chat/chat-steps.ts";
import { replayChat } from "./chat/replay-chat.ts";
import { type ToolResult, toolResult } from "./chat/tool-result.ts";

type Shape = Pick<UniversalItem, "kind" | "role" | "content"> & { native_item_id?: string; status?: ItemStatus };

/**
 * A conversation on disk (`chats/session-*.jsonl`, what its subagents did as companions) → what its stream would have told,
 * the user's own messages among it. Pure. What only a running program says (changes of mode, requests) is not there.
 */
export function readTranscript(text: string, options: ParseOptions = {}): ItemTold[] {
  const { messages } = replayChat(text);
  return new Transcript(options, directoryOf(messages)).items(messages);
}

export function parseTranscript(text: string, options: ParseOptions = {}): UniversalItem[] {
  return completedOf(readTranscript(text, options));
}

class Transcript {
  readonly #options: ParseOptions;
  readonly #directory: string;
  readonly #subagents: (readonly ChatMessage[])[];
  #count = 0;
  /** Of what is being read. */
  #time: string | null = null;

  constructor(options: ParseOptions, directory: string) {
    this.#options = options;
    this.#directory = directory;
    this.#subagents = (options.companions ?? []).map((companion) => replayChat(companion.text).messages);
  }

  items(messages: readonly ChatMessage[], parentId?: string): ItemTold[] {
    const steps = chatSteps(messages);
    const told = parentId === undefined ? steps : steps.filter(({ type }) => type !== "said");
    return told.flatMap((step) => {
      this.#time = timeOf(step.time);
      return this.#itemsOf(step, parentId);
    });
  }

  #itemsOf(step: ChatStep, parentId: string | undefined): ItemTold[] {
    switch (step.type) {
      case "said": {
        const content: ContentPart[] = [{ type: "text", text: step.text }];
        return [this.#item({ kind: "message", role: "user", content, native_item_id: step.id }, parentId)];
      }
      case "thought": {
        const content: ContentPart[] = [{ type: "reasoning", text: step.text, visibility: "public" }];
        return [this.#item({ kind: "message", role: "assistant", content }, parentId)];
      }
      case "text": {
        const content: ContentPart[] = [{ type: "text", text: step.text }];
        return [this.#item({ kind: "message", role: "assistant", content }, parentId)];
      }
      case "call":
        return this.#callItems(step.call, parentId);
    }
  }

  #callItems(call: ChatToolCall, parentId: string | undefined): ItemTold[] {
    const time = this.#time;
    const { id, name = "tool", args = {} } = call;
    const result = toolResult(call);
    const common = { native_item_id: id, status: result.failed ? "failed" : "completed" } as const;
    const calling: ContentPart = { type: "tool_call", name, arguments: JSON.stringify(args), call_id: id };
    const made = this.#item({ kind: "tool_call", role: "assistant", content: [calling], ...common }, parentId);
    const inside = name === "invoke_agent" ? this.items(this.#subagentOf(call), made.data.item.item_id) : [];
    this.#time = time;
    const output: ContentPart = { type: "tool_result", call_id: id, output: result.output };
    const content = [output, ...this.#files(call, result)];
    return [made, ...inside, this.#item({ kind: "tool_result", role: "tool", content, ...common }, parentId)];
  }

  /** The one that was asked what the call says; each belongs to one call. */
  #subagentOf({ args }: ChatToolCall): readonly ChatMessage[] {
    const { prompt } = (args ?? {}) as { prompt?: string };
    const at = this.#subagents.findIndex((messages) => {
      const [first] = chatSteps(messages);
      return first?.type === "said" && first.text === prompt;
    });
    return at < 0 ? [] : this.#subagents.splice(at, 1)[0]!;
  }

  #files({ id, name, args }: ChatToolCall, { failed, change, images }: ToolResult): ContentPart[] {
    if (change) {
      const { path, before, after } = change;
      const action = before === undefined ? "write" : "patch";
      return [{ type: "file_ref", path, action, diff: diffTexts(this.#relative(path), before, after) }];
    }
    const { file_path } = (args ?? {}) as { file_path?: unknown };
    const read = name === "read_file" && typeof file_path === "string" ? this.#absolute(file_path) : undefined;
    const shown = images.map(({ mimeType }, at): ContentPart => {
      const path = read ?? `${this.#options.imagesDir ?? "images"}/${id}-${at}`;
      return { type: "image", path, ...(mimeType ? { mime: mimeType } : {}) };
    });
    return [
      ...(read === undefined || failed ? [] : [{ type: "file_ref", path: read, action: "read" } as const]),
      ...shown,
    ];
  }

  #absolute(path: string): string {
    return path.startsWith("/") || this.#directory === "" ? path : `${this.#directory}/${path.replace(/^\.\//, "")}`;
  }

  #relative(path: string): string {
    return path.startsWith(`${this.#directory}/`) ? path.slice(this.#directory.length + 1) : path;
  }

  #item({ status = "completed", ...shape }: Shape, parentId: string | undefined): ItemTold {
    this.#count += 1;
    const item_id = `${this.#options.itemPrefix ?? "item-"}${this.#count}`;
    const item = { item_id, ...shape, status, ...(parentId === undefined ? {} : { parent_id: parentId }) };
    return { type: "item.completed", data: { item }, time: this.#time };
  }
}

/** The program tells its model where it is. */
function directoryOf(messages: readonly ChatMessage[]): string {
  const texts = messages.flatMap(partsOf).flatMap(({ text }) => text ?? []);
  const context = texts.find((text) => text.includes("<session_context>")) ?? "";
  return /\*\*Workspace Directories:\*\*\n\s*- (.+)/.exec(context)?.[1] ?? "";
}
