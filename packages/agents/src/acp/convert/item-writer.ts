import { appendText, type ContentPart, type ItemStatus, type UniversalItem } from "@sandbox-agent-ts/protocol";
import { AgentDrafts } from "../../drafts/agent-drafts.ts";
import type { Writable } from "../../drafts/own-copies.ts";
import type { ImageFile } from "../../images/image-file.ts";
import type { AcpToolCall } from "../dialect.ts";
import type { AcpState, OpenCall, OpenProse } from "./acp-state.ts";
import { type ShownImage, toolInput, toolName, toolView } from "./tool-view.ts";

type FinalStatus = Exclude<ItemStatus, "in_progress">;
type ItemShape = Pick<UniversalItem, "kind" | "role" | "content" | "native_item_id" | "parent_id">;

/** Writes the lives of items as drafts: started, spelled out, completed, each once. */
export class ItemWriter extends AgentDrafts {
  readonly images: ImageFile[] = [];
  readonly calls: Map<string, OpenCall>;
  readonly endedCalls: Map<string, string>;
  itemCount: number;
  prose: Writable<OpenProse> | undefined;
  lastText: string;
  readonly #setting: AcpState["setting"];
  readonly #terminals: ReadonlyMap<string, string>;

  constructor(state: AcpState, terminals: ReadonlyMap<string, string>) {
    super();
    this.calls = new Map(state.calls);
    this.endedCalls = new Map(state.endedCalls);
    this.itemCount = state.itemCount;
    this.prose = state.prose && { ...state.prose };
    this.lastText = state.lastText;
    this.#setting = state.setting;
    this.#terminals = terminals;
  }

  /** A piece of a message or a thought. A new one begins when the kind or the agent's id changes, or a tool came between. */
  speak(delta: string, about: Pick<OpenProse, "kind" | "messageId" | "parentId">, raw: string): void {
    if (delta === "") return;
    const { kind, messageId, parentId } = about;
    const open = this.prose;
    const goesOn = open?.kind === kind && open.messageId === messageId && open.parentId === parentId;
    if (!goesOn) this.endProse(raw);
    this.prose ??= this.#startProse(about, raw);
    this.prose.text = appendText(this.prose.text, delta);
    const data = { item_id: this.prose.itemId, native_item_id: messageId ?? null, delta };
    this.push({ type: "item.delta", data }, raw);
  }

  endProse(raw: string | undefined, status: FinalStatus = "completed"): void {
    if (!this.prose) return;
    const { itemId, kind, text, parentId } = this.prose;
    const item = this.#item(itemId, proseShape(this.prose), status);
    this.prose = undefined;
    if (kind === "text" && parentId === undefined) this.lastText = text;
    this.push({ type: "item.completed", data: { item } }, raw);
  }

  /** What is known of a call, with what was told now. It begins with the first word about it, whatever message that is in. */
  updateCall(id: string, told: AcpToolCall, raw: string, parentId?: string): AcpToolCall {
    const known = this.calls.get(id);
    const call = mergeCall(known?.call ?? { toolCallId: id }, told);
    if (!known) this.endProse(raw);
    const itemId = known?.itemId ?? this.#startCall(id, call, raw, parentId);
    this.calls.set(id, { ...known, itemId, call, parentId: known ? known.parentId : parentId });
    return call;
  }

  /** The agent says something else than `id`: of what was refused before it says nothing more, where it is such an agent. */
  endRefused(id: string | undefined, raw: string | undefined): void {
    const { refusedOutput } = this.#setting.quirks;
    if (!refusedOutput) return;
    for (const [refusedId, open] of [...this.calls]) {
      if (!open.refused || refusedId === id) continue;
      const text = refusedOutput(toolName(open.call, this.#setting));
      const content = [{ type: "content", content: { type: "text", text } }];
      this.calls.set(refusedId, { ...open, call: { ...open.call, content, locations: [] } });
      this.endCall(refusedId, raw, "failed");
    }
  }

  /** It is not to be. */
  refuseCall(id: string | undefined): void {
    const open = id === undefined ? undefined : this.calls.get(id);
    if (open) this.calls.set(id!, { ...open, refused: true });
  }

  endCall(id: string, raw: string | undefined, status: FinalStatus): void {
    const open = this.calls.get(id);
    if (!open) return;
    this.calls.delete(id);
    this.endedCalls.set(id, open.itemId);
    const item = this.#item(open.itemId, this.#callShape(id, open.call, open.parentId), status);
    this.push({ type: "item.completed", data: { item } }, raw);
    const { output, parts, images } = toolView(open.call, this.#setting, this.#terminals);
    this.images.push(...images);
    const content: ContentPart[] = [{ type: "tool_result", call_id: id, output }, ...parts];
    const beginning: ContentPart[] = [{ type: "tool_result", call_id: id, output: "" }];
    const shape: ItemShape = { kind: "tool_result", role: "tool", content, native_item_id: id };
    this.#show({ ...shape, ...parent(open.parentId) }, beginning, raw, status);
  }

  showStatus(label: string, detail: string | null, raw: string | undefined, parentId?: string): void {
    const content: ContentPart[] = [{ type: "status", label, detail }];
    this.#show({ kind: "status", role: "system", content, ...parent(parentId) }, content, raw, "completed");
  }

  /** An image that the agent shows in the middle of what it says. */
  showImage(image: ShownImage, raw: string): void {
    this.endProse(raw);
    this.images.push(image);
    const content: ContentPart[] = [{ type: "image", path: image.path, mime: image.mime }];
    this.#show({ kind: "message", role: "assistant", content }, [], raw, "completed");
  }

  #show(shape: ItemShape, beginning: ContentPart[], raw: string | undefined, status: FinalStatus): void {
    const itemId = this.#nextId();
    const started = this.#item(itemId, { ...shape, content: beginning }, "in_progress");
    this.push({ type: "item.started", data: { item: started } }, raw);
    this.push({ type: "item.completed", data: { item: this.#item(itemId, shape, status) } }, raw);
  }

  /** The item of a call, open or ended. */
  itemOfCall(id: string | undefined): string | undefined {
    return id === undefined ? undefined : (this.calls.get(id)?.itemId ?? this.endedCalls.get(id));
  }

  #startProse(about: Pick<OpenProse, "kind" | "messageId" | "parentId">, raw: string): OpenProse {
    const prose = { ...about, itemId: this.#nextId(), text: "" };
    this.push(
      { type: "item.started", data: { item: this.#item(prose.itemId, proseShape(prose), "in_progress") } },
      raw,
    );
    return prose;
  }

  #startCall(id: string, call: AcpToolCall, raw: string, parentId: string | undefined): string {
    const itemId = this.#nextId();
    const item = this.#item(itemId, this.#callShape(id, call, parentId), "in_progress");
    this.push({ type: "item.started", data: { item } }, raw);
    return itemId;
  }

  #callShape(call_id: string, call: AcpToolCall, parentId: string | undefined): ItemShape {
    const part = { name: toolName(call, this.#setting), arguments: toolInput(call), call_id };
    const content: ContentPart[] = [{ type: "tool_call", ...part }];
    return { kind: "tool_call", role: "assistant", content, native_item_id: call_id, ...parent(parentId) };
  }

  #nextId(): string {
    return `${this.#setting.itemPrefix}${++this.itemCount}`;
  }

  #item(item_id: string, shape: ItemShape, status: ItemStatus): UniversalItem {
    return { item_id, ...shape, status };
  }
}

function proseShape({ kind, text, messageId, parentId }: Omit<OpenProse, "itemId">): ItemShape {
  const part: ContentPart =
    kind === "reasoning" ? { type: "reasoning", text, visibility: "public" } : { type: "text", text };
  const native = messageId === undefined ? {} : { native_item_id: messageId };
  return { kind: "message", role: "assistant", content: [part], ...native, ...parent(parentId) };
}

function parent(parentId: string | undefined): { parent_id?: string } {
  return parentId === undefined ? {} : { parent_id: parentId };
}

/** An update says only what is new; `null` is nothing new either. A kind of `other` says less than any that was told before. */
function mergeCall(known: AcpToolCall, told: AcpToolCall): AcpToolCall {
  const news = Object.entries(told).filter(([name, value]) => {
    if (value === null || value === undefined) return false;
    return !(name === "kind" && value === "other" && known.kind);
  });
  const _meta = { ...known._meta, ...told._meta };
  return { ...known, ...Object.fromEntries(news), ...(Object.keys(_meta).length > 0 ? { _meta } : {}) };
}
