import { appendText, type ContentPart, type ItemStatus, type UniversalItem } from "@sandbox-agent-ts/protocol";
import { AgentDrafts } from "../../../drafts/agent-drafts.ts";
import { liveContent, newOutput, roomFor } from "../../../drafts/live-output.ts";
import { copiesOf, type Writable } from "../../../drafts/own-copies.ts";
import type { ImageFile } from "../../../images/image-file.ts";
import type { Part } from "../dialect.ts";
import type { OpencodeState, OpenPart } from "./opencode-state.ts";
import { toolFailed, toolView } from "./tool-view.ts";

type FinalStatus = Exclude<ItemStatus, "in_progress">;
type ItemShape = Pick<UniversalItem, "kind" | "role" | "content">;

/** Writes the lives of items as drafts: started, spelled out, completed, each once. */
export class ItemWriter extends AgentDrafts {
  readonly images: ImageFile[] = [];
  readonly announced: Map<string, Part>;
  readonly openParts: Map<string, Writable<OpenPart>>;
  readonly closedParts: Set<string>;
  readonly parents: Map<string, string>;
  readonly diffs: Map<string, string>;
  itemCount: number;
  readonly #setting: OpencodeState["setting"];
  readonly #sessionId: string | undefined;

  constructor(state: OpencodeState) {
    super();
    this.announced = new Map(state.announced);
    this.openParts = copiesOf(state.openParts);
    this.closedParts = new Set(state.closedParts);
    this.parents = new Map(state.parents);
    this.diffs = new Map(state.diffs);
    this.itemCount = state.itemCount;
    this.#setting = state.setting;
    this.#sessionId = state.sessionId;
  }

  /** A piece of a message, which begins with its first piece: one that stays empty is none. */
  speak(native: Part, delta: string, raw: string): void {
    const id = native.id ?? "";
    if (delta === "" || this.closedParts.has(id)) return;
    const open = this.openParts.get(id) ?? this.#start(native, proseShape(native, ""), raw);
    open.spoken = appendText(open.spoken, delta);
    this.push({ type: "item.delta", data: { item_id: open.item.item_id, native_item_id: id, delta } }, raw);
  }

  /** What was said is what counts: OpenCode trims a text when it is whole. A rest that no delta has brought is added. */
  finishProse(native: Part, raw: string): void {
    const id = native.id ?? "";
    const text = native.text ?? "";
    const spoken = this.openParts.get(id)?.spoken ?? "";
    if (text.startsWith(spoken)) this.speak(native, text.slice(spoken.length), raw);
    const open = this.openParts.get(id);
    this.announced.delete(id);
    this.closedParts.add(id);
    if (open) this.#complete(open, proseShape(open.native, open.spoken).content, "completed", raw);
  }

  startTool(native: Part, raw: string): OpenPart {
    const id = native.id ?? "";
    const known = this.openParts.get(id);
    const open =
      known ?? this.#start(native, { kind: "tool_call", role: "assistant", content: [callPart(native)] }, raw);
    this.openParts.set(id, { ...open, native });
    return open;
  }

  /** The output of a command while it runs, from its beginning each time. */
  showOutput(native: Part, told: string, raw: string): void {
    const open = this.startTool(native, raw);
    const delta = newOutput(open.live?.told ?? "", told);
    if (delta === "") return;
    const live = open.live ?? this.#startLive(open, raw);
    const piece = roomFor(live.text, delta);
    if (piece !== "") this.push({ type: "item.delta", data: { item_id: live.item.item_id, delta: piece } }, raw);
    this.openParts.set(native.id ?? "", { ...open, native, live: { ...live, text: live.text + piece, told } });
  }

  #startLive({ item, native }: OpenPart, raw: string): NonNullable<OpenPart["live"]> {
    const { id: _, ...place } = native;
    const shape = { kind: "status", role: "tool", content: liveContent("") } as const;
    const live = { ...this.#item(place, shape), parent_id: item.item_id };
    this.push({ type: "item.started", data: { item: { ...live, status: "in_progress" } } }, raw);
    return { item: live, text: "", told: "" };
  }

  finishTool(native: Part, raw: string): void {
    if (this.closedParts.has(native.id ?? "")) return;
    const open = this.startTool(native, raw);
    this.announced.delete(native.id ?? "");
    this.closedParts.add(native.id ?? "");
    const call = callPart(native);
    const view = toolView(native, this.#setting, this.diffs.get(native.callID ?? ""));
    const status = toolFailed(native) ? "failed" : "completed";
    if (open.live) {
      const item = { ...open.live.item, content: liveContent(open.live.text), status: "completed" } as const;
      this.push({ type: "item.completed", data: { item } }, raw);
    }
    this.#complete(open, [call], status, raw);
    this.images.push(...view.images);
    const content: ContentPart[] = [{ type: "tool_result", call_id: call.call_id, output: view.output }, ...view.parts];
    this.show(native, { kind: "tool_result", role: "tool", content }, raw, status);
  }

  /** An item that comes whole. */
  show(native: Part, shape: ItemShape, raw: string, status: FinalStatus = "completed"): string {
    const item = this.#item(native, shape);
    const beginning = shape.content.flatMap(beginningOf);
    this.push({ type: "item.started", data: { item: { ...item, content: beginning, status: "in_progress" } } }, raw);
    this.push({ type: "item.completed", data: { item: { ...item, status } } }, raw);
    return item.item_id;
  }

  showStatus(
    native: Part,
    { label, detail = null, parts = [] }: { label: string; detail?: string | null; parts?: ContentPart[] },
    raw: string,
  ): void {
    const content: ContentPart[] = [{ type: "status", label, detail }, ...parts];
    this.show(native, { kind: "status", role: "system", content }, raw);
  }

  /** What the server will not complete any more, of one conversation or of all. */
  abandon(sessionId: string | undefined, raw: string, { proseOnly = false } = {}): void {
    for (const [id, open] of [...this.openParts].reverse()) {
      const isTool = open.item.kind === "tool_call";
      if ((sessionId !== undefined && open.native.sessionID !== sessionId) || (proseOnly && isTool)) continue;
      if (isTool) this.finishTool(abandonedTool(open.native), raw);
      else this.#complete(open, proseShape(open.native, open.spoken).content, "failed", raw);
      this.closedParts.add(id);
    }
  }

  #start(native: Part, shape: ItemShape, raw: string): Writable<OpenPart> {
    const item = this.#item(native, shape);
    const open: Writable<OpenPart> = { native, item, spoken: "" };
    this.openParts.set(native.id ?? "", open);
    this.push({ type: "item.started", data: { item: { ...item, status: "in_progress" } } }, raw);
    return open;
  }

  #complete({ item, native }: OpenPart, content: ContentPart[], status: FinalStatus, raw: string): void {
    this.openParts.delete(native.id ?? "");
    this.push({ type: "item.completed", data: { item: { ...item, content, status } } }, raw);
  }

  #item(native: Part, shape: ItemShape): OpenPart["item"] {
    const parent = this.#parentOf(native.sessionID);
    return {
      item_id: `${this.#setting.itemPrefix}${++this.itemCount}`,
      ...(native.id === undefined ? {} : { native_item_id: native.id }),
      ...(parent === undefined ? {} : { parent_id: parent }),
      ...shape,
    };
  }

  /** A subagent that nobody has told of yet was started by the newest task. */
  #parentOf(sessionId: string | undefined): string | undefined {
    if (sessionId === undefined || sessionId === this.#sessionId) return undefined;
    const tasks = [...this.openParts.values()].filter(({ native }) => native.tool === "task");
    return this.parents.get(sessionId) ?? tasks.at(-1)?.item.item_id;
  }
}

/** Of a result that comes whole, its beginning says only whose it is: outputs can be long. */
function beginningOf(part: ContentPart): ContentPart[] {
  if (part.type === "tool_result") return [{ ...part, output: "" }];
  return part.type === "status" ? [part] : [];
}

function callPart({ tool = "tool", callID, id, state }: Part) {
  return {
    type: "tool_call",
    name: tool,
    arguments: JSON.stringify(state?.input ?? {}),
    call_id: callID ?? id ?? "",
  } as const;
}

function abandonedTool(native: Part): Part {
  return { ...native, state: { ...native.state, status: "error", error: "The tool did not come to an end." } };
}

function proseShape({ type }: Part, text: string): ItemShape {
  const part: ContentPart =
    type === "reasoning" ? { type: "reasoning", text, visibility: "public" } : { type: "text", text };
  return { kind: "message", role: "assistant", content: [part] };
}
