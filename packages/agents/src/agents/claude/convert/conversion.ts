import type {
  ContentPart,
  EventDraft,
  EventOf,
  EventPayload,
  EventType,
  ItemKind,
  ItemRole,
  ItemStatus,
} from "@sandbox-agent-ts/protocol";
import type { TurnOutcome } from "../../../agent.ts";
import { AgentDrafts } from "../../../drafts/agent-drafts.ts";
import { copiesOf, type Writable } from "../../../drafts/own-copies.ts";
import type { ImageFile } from "../../../images/image-file.ts";
import type { ClaudeState, OpenBlock, OpenCall, OpenRequest, Todo, TurnState } from "./claude-state.ts";

export interface Converted {
  readonly state: ClaudeState;
  readonly drafts: EventDraft[];
  readonly images: ImageFile[];
  /** Lines to be written to the agent. */
  readonly replies: object[];
  readonly nativeSessionId?: string;
  /** The turn is lost and goes on only because the agent tries again: stop it. */
  readonly giveUp: boolean;
  /** Present when the turn ended in these lines. */
  readonly outcome?: TurnOutcome;
  /** What came after the turn's end and is not converted yet. */
  readonly rest: readonly string[];
}

export interface ItemShape {
  readonly kind: ItemKind;
  readonly role: ItemRole;
  readonly content: ContentPart[];
  readonly nativeId?: string | undefined;
  readonly parentId?: string | undefined;
}

/** The conversion of the lines of one read: a copy of the state to write into, and what came out so far. */
export class Conversion extends AgentDrafts {
  readonly images: ImageFile[] = [];
  readonly replies: object[] = [];
  messageId: string | undefined;
  readonly blocks: Map<number, Writable<OpenBlock>>;
  readonly calls: Map<string, OpenCall>;
  readonly agents: Map<string, string>;
  readonly requests: Map<string, OpenRequest>;
  readonly todos: Map<string, Todo>;
  readonly start: ClaudeState;
  tasks: ClaudeState["tasks"];
  failedServers: ClaudeState["failedServers"];
  permissionMode: string | null;
  isIdle: boolean;
  turn: TurnState | null;
  nativeSessionId: string | undefined;
  giveUp = false;
  outcome: TurnOutcome | undefined;
  /** The line at hand. */
  raw = "";
  #itemCount: number;
  #requestCount: number;

  constructor(state: ClaudeState) {
    super();
    this.start = state;
    this.messageId = state.messageId;
    this.blocks = copiesOf(state.blocks);
    this.calls = new Map(state.calls);
    this.agents = new Map(state.agents);
    this.requests = new Map(state.requests);
    this.todos = new Map(state.todos);
    this.tasks = state.tasks;
    this.failedServers = state.failedServers;
    this.permissionMode = state.permissionMode;
    this.isIdle = state.isIdle;
    this.turn = state.turn;
    this.#itemCount = state.itemCount;
    this.#requestCount = state.requestCount;
  }

  result(rest: readonly string[]): Converted {
    const { messageId, blocks, calls, agents, requests, todos, tasks, permissionMode, isIdle, turn } = this;
    const { drafts, images, replies, giveUp, failedServers } = this;
    const counts = { itemCount: this.#itemCount, requestCount: this.#requestCount };
    const changed = {
      ...counts,
      messageId,
      blocks,
      calls,
      agents,
      requests,
      todos,
      tasks,
      failedServers,
      permissionMode,
      isIdle,
      turn,
    };
    return {
      state: { ...this.start, ...changed },
      drafts,
      images,
      replies,
      giveUp,
      rest,
      ...(this.nativeSessionId === undefined ? {} : { nativeSessionId: this.nativeSessionId }),
      ...(this.outcome === undefined ? {} : { outcome: this.outcome }),
    };
  }

  emit<T extends EventType>(type: T, data: EventOf<T>["data"]): void {
    this.push({ type, data } as EventPayload, this.raw);
  }

  nextRequestId(letter: "p" | "q"): string {
    this.#requestCount += 1;
    return `${this.start.itemPrefix}${letter}${this.#requestCount}`;
  }

  startItem(shape: ItemShape): string {
    this.#itemCount += 1;
    const itemId = `${this.start.itemPrefix}${this.#itemCount}`;
    this.emit("item.started", { item: itemOf(itemId, shape, "in_progress") });
    return itemId;
  }

  delta(itemId: string, delta: string, nativeId?: string): void {
    if (delta === "") return;
    const data =
      nativeId === undefined ? { item_id: itemId, delta } : { item_id: itemId, native_item_id: nativeId, delta };
    this.emit("item.delta", data);
  }

  completeItem(itemId: string, shape: ItemShape, status: Exclude<ItemStatus, "in_progress">): void {
    this.emit("item.completed", { item: itemOf(itemId, shape, status) });
  }

  /** An item that comes whole and has no text to spell. */
  showItem(shape: ItemShape, status: Exclude<ItemStatus, "in_progress"> = "completed"): void {
    this.completeItem(this.startItem(shape), shape, status);
  }

  showStatus(label: string, detail?: string): void {
    const part: ContentPart = detail === undefined ? { type: "status", label } : { type: "status", label, detail };
    this.showItem({ kind: "status", role: "system", content: [part] });
  }

  /** The item that a line of a subagent belongs under. */
  parentOf(toolUseId: string | null | undefined): string | undefined {
    return toolUseId === null || toolUseId === undefined ? undefined : this.agents.get(toolUseId);
  }
}

function itemOf(itemId: string, shape: ItemShape, status: ItemStatus): EventOf<"item.started">["data"]["item"] {
  const { kind, role, content, nativeId, parentId } = shape;
  return {
    item_id: itemId,
    ...(nativeId === undefined ? {} : { native_item_id: nativeId }),
    ...(parentId === undefined ? {} : { parent_id: parentId }),
    kind,
    role,
    status,
    content,
  };
}

export function proseShape(
  kind: "text" | "reasoning",
  text: string,
  ids: Pick<ItemShape, "nativeId" | "parentId">,
): ItemShape {
  const part: ContentPart =
    kind === "text" ? { type: "text", text } : { type: "reasoning", text, visibility: "public" };
  return { kind: "message", role: "assistant", content: [part], ...ids };
}
