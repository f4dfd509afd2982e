import { appendText, type ContentPart, type ItemStatus, type UniversalItem } from "@sandbox-agent-ts/protocol";
import { AgentDrafts } from "../../../drafts/agent-drafts.ts";
import { liveContent, roomFor } from "../../../drafts/live-output.ts";
import { copiesOf, type Writable } from "../../../drafts/own-copies.ts";
import type { ImageFile } from "../../../images/image-file.ts";
import type { CodexItem } from "../dialect.ts";
import type { CodexState, LiveOutput, OpenItem } from "./codex-state.ts";
import { toolFailed, toolView } from "./tool-view.ts";

/** More output than this of a command that outlives its turn is not kept. */
const MAX_KEPT_OUTPUT = 1024 * 1024;

type FinalStatus = Exclude<ItemStatus, "in_progress">;
type ItemShape = Pick<UniversalItem, "kind" | "role" | "content">;

/** Writes the lives of items as drafts: started, spelled out, completed, each once. */
export class ItemWriter extends AgentDrafts {
  readonly images: ImageFile[] = [];
  readonly openItems: Map<string, Writable<OpenItem>>;
  readonly abandoned: Set<string>;
  readonly parents: Map<string, string>;
  itemCount: number;
  readonly #setting: CodexState["setting"];
  #spokenLast: Writable<OpenItem> | undefined;

  constructor(state: CodexState) {
    super();
    this.openItems = copiesOf(state.openItems);
    this.abandoned = new Set(state.abandoned);
    this.parents = new Map(state.parents);
    this.itemCount = state.itemCount;
    this.#setting = state.setting;
  }

  /** A piece of a message, which begins with its first piece: one that stays empty is none. */
  speak(threadId: string, native: CodexItem, delta: string, raw: string): void {
    if (delta === "") return;
    const open = this.#speaking(threadId, native, raw);
    open.spoken = appendText(open.spoken, delta);
    const { item_id } = open.item;
    this.push({ type: "item.delta", data: { item_id, native_item_id: native.id ?? null, delta } }, raw);
  }

  /** One delta follows the other: what was spoken last need not be looked up. */
  #speaking(threadId: string, native: CodexItem, raw: string): Writable<OpenItem> {
    const last = this.#spokenLast;
    if (last && last.native.id === native.id && last.threadId === threadId) return last;
    const open =
      this.openItems.get(keyOf(threadId, native.id)) ?? this.#start(threadId, native, proseShape(native, ""), raw);
    this.#spokenLast = open;
    return open;
  }

  /** What was said is what counts; a rest that no delta has brought is added to it. */
  finishProse(threadId: string, native: CodexItem, text: string, raw: string): void {
    const spoken = this.openItems.get(keyOf(threadId, native.id))?.spoken ?? "";
    if (text.startsWith(spoken)) this.speak(threadId, native, text.slice(spoken.length), raw);
    const open = this.openItems.get(keyOf(threadId, native.id));
    if (open) this.#complete(open, proseShape(native, open.spoken).content, "completed", raw);
  }

  startTool(threadId: string, native: CodexItem, raw: string): OpenItem {
    const known = this.openItems.get(keyOf(threadId, native.id));
    if (known) return known;
    const { name, input } = toolView(native, this.#setting);
    const call_id = native.id ?? `${this.#setting.itemPrefix}call${this.itemCount + 1}`;
    const part: ContentPart = { type: "tool_call", name, arguments: JSON.stringify(input ?? {}), call_id };
    return this.#start(threadId, native, { kind: "tool_call", role: "assistant", content: [part] }, raw);
  }

  /** Output of a command while it runs. */
  addOutput(threadId: string, nativeId: string | undefined, delta: string, raw: string): void {
    const open = this.openItems.get(keyOf(threadId, nativeId));
    if (!open || delta === "") return;
    const live = open.live ?? this.#startLive(open, raw);
    const piece = roomFor(live.text, delta);
    if (piece !== "") this.push({ type: "item.delta", data: { item_id: live.item.item_id, delta: piece } }, raw);
    if (open.spoken.length < MAX_KEPT_OUTPUT) open.spoken += delta;
    open.live = { ...live, text: live.text + piece };
  }

  #startLive({ item, threadId }: OpenItem, raw: string): LiveOutput {
    const shape = { kind: "status", role: "tool", content: liveContent("") } as const;
    const live = { ...this.#item(threadId, undefined, shape), parent_id: item.item_id };
    this.push({ type: "item.started", data: { item: { ...live, status: "in_progress" } } }, raw);
    return { item: live, text: "" };
  }

  finishTool(threadId: string, native: CodexItem, raw: string): void {
    const open = this.startTool(threadId, native, raw);
    const view = toolView(native, this.#setting);
    const call = open.item.content[0];
    if (call?.type !== "tool_call") return;
    const status = toolFailed(native) ? "failed" : "completed";
    const { call_id } = call;
    if (open.live) {
      const item = { ...open.live.item, content: liveContent(open.live.text), status: "completed" } as const;
      this.push({ type: "item.completed", data: { item } }, raw);
    }
    // The input may be known only now, e.g. what a search looked for.
    this.#complete(open, [{ ...call, arguments: JSON.stringify(view.input ?? {}) }], status, raw);
    this.images.push(...view.images);
    const content: ContentPart[] = [{ type: "tool_result", call_id, output: view.output }, ...view.parts];
    this.show(threadId, { kind: "tool_result", role: "tool", content }, raw, { status, nativeId: native.id });
  }

  /** An item that comes whole. */
  show(
    threadId: string,
    shape: ItemShape,
    raw: string,
    { status = "completed", nativeId }: { status?: FinalStatus; nativeId?: string | undefined } = {},
  ): string {
    const item = this.#item(threadId, nativeId, shape);
    const beginning = shape.content.flatMap(beginningOf);
    this.push({ type: "item.started", data: { item: { ...item, content: beginning, status: "in_progress" } } }, raw);
    this.push({ type: "item.completed", data: { item: { ...item, status } } }, raw);
    return item.item_id;
  }

  showStatus(threadId: string, label: string, detail: string | null, raw: string): string {
    return this.show(threadId, { kind: "status", role: "system", content: [{ type: "status", label, detail }] }, raw);
  }

  /** What the server will not complete any more, or too late. A command that goes on in the background did not fail. */
  abandon(threadId: string, raw: string, { proseOnly = false, failed = true } = {}): void {
    for (const [key, open] of [...this.openItems].reverse()) {
      const isTool = open.item.kind === "tool_call";
      if (open.threadId !== threadId || (proseOnly && isTool)) continue;
      this.abandoned.add(key);
      if (isTool) this.#abandonTool(open, failed, raw);
      else this.#complete(open, proseShape(open.native, open.spoken).content, "failed", raw);
    }
  }

  #abandonTool(open: OpenItem, failed: boolean, raw: string): void {
    const goesOn = !failed && open.native.type === "commandExecution";
    const status = goesOn ? "inProgress" : "failed";
    this.finishTool(open.threadId, { ...open.native, status, aggregatedOutput: open.spoken }, raw);
  }

  #start(threadId: string, native: CodexItem, shape: ItemShape, raw: string): Writable<OpenItem> {
    const item = this.#item(threadId, native.id, shape);
    const open: Writable<OpenItem> = { threadId, native, item, spoken: "" };
    this.openItems.set(keyOf(threadId, native.id), open);
    this.push({ type: "item.started", data: { item: { ...item, status: "in_progress" } } }, raw);
    return open;
  }

  #complete({ item, native, threadId }: OpenItem, content: ContentPart[], status: FinalStatus, raw: string): void {
    this.openItems.delete(keyOf(threadId, native.id));
    this.#spokenLast = undefined;
    this.push({ type: "item.completed", data: { item: { ...item, content, status } } }, raw);
  }

  #item(threadId: string, nativeId: string | undefined, shape: ItemShape): OpenItem["item"] {
    const parent = this.parents.get(threadId);
    return {
      item_id: `${this.#setting.itemPrefix}${++this.itemCount}`,
      ...(nativeId === undefined ? {} : { native_item_id: nativeId }),
      ...(parent === undefined ? {} : { parent_id: parent }),
      ...shape,
    };
  }
}

/** Of a result that comes whole, its beginning says only whose it is: outputs can be long. */
function beginningOf(part: ContentPart): ContentPart[] {
  if (part.type === "tool_result") return [{ ...part, output: "" }];
  return part.type === "status" ? [part] : [];
}

export function keyOf(threadId: string, nativeId: string | undefined): string {
  return `${threadId}/${nativeId ?? ""}`;
}

function proseShape({ type }: CodexItem, text: string): ItemShape {
  const part: ContentPart =
    type === "reasoning" ? { type: "reasoning", text, visibility: "public" } : { type: "text", text };
  return { kind: "message", role: "assistant", content: [part] };
}
