import type { TurnOutcome } from "@sandbox-agent-ts/agents";
import {
  appendText,
  type EventDraft,
  type PermissionReply,
  type PermissionRequestedData,
  type UniversalItem,
} from "@sandbox-agent-ts/protocol";
import type { FakeOutput } from "./fake-agent-dialect.ts";

/** What has to be remembered of the lines so far to understand the next one. */
export interface FakeState {
  readonly itemPrefix: string;
  readonly directory: string;
  readonly itemCount: number;
  readonly permissionCount: number;
  /** By the program's own id. */
  readonly openItems: ReadonlyMap<string, OpenItem>;
  /** What waits for an answer, by our id. */
  readonly permissions: ReadonlyMap<string, AskedCall>;
}

interface AskedCall {
  /** The program's own id of the request. */
  readonly nativeId: string;
  readonly item: UniversalItem;
}

interface OpenItem {
  readonly itemId: string;
  readonly text: string;
}

export interface Converted {
  readonly state: FakeState;
  readonly events: EventDraft[];
  readonly nativeSessionId?: string;
  /** Present when the turn ended in these lines. */
  readonly outcome?: TurnOutcome;
}

export function createFakeState(itemPrefix: string, directory: string): FakeState {
  return { itemPrefix, directory, itemCount: 0, permissionCount: 0, openItems: new Map(), permissions: new Map() };
}

/** A new process knows nothing of what the last one had begun, and counts from one again. */
export function afterRestart(state: FakeState): FakeState {
  return { ...state, openItems: new Map(), permissions: new Map() };
}

/** The lines of one read → what happened. Pure; one state per batch and not per line, for the sake of floods. */
export function convertLines(state: FakeState, lines: readonly string[]): Converted {
  const draft = new Draft(state);
  for (const line of lines) {
    if (line !== "") draft.take(line);
  }
  return draft.result();
}

/** A person has answered: the call it was about is over, as the fake agent runs nothing. */
export function endCall(state: FakeState, permissionId: string, reply: PermissionReply): Converted {
  const permissions = new Map(state.permissions);
  const asked = permissions.get(permissionId);
  permissions.delete(permissionId);
  if (!asked) return { state, events: [] };
  const item: UniversalItem = { ...asked.item, status: reply === "reject" ? "failed" : "completed" };
  const ended: EventDraft = { type: "item.completed", data: { item }, source: "agent", synthetic: false };
  return { state: { ...state, permissions }, events: [ended] };
}

class Draft {
  readonly #events: EventDraft[] = [];
  readonly #itemPrefix: string;
  readonly #directory: string;
  readonly #openItems: Map<string, OpenItem>;
  readonly #permissions: Map<string, AskedCall>;
  #itemCount: number;
  #permissionCount: number;
  #nativeSessionId: string | undefined;
  #outcome: TurnOutcome | undefined;

  constructor(state: FakeState) {
    this.#itemPrefix = state.itemPrefix;
    this.#directory = state.directory;
    this.#itemCount = state.itemCount;
    this.#permissionCount = state.permissionCount;
    this.#openItems = new Map(state.openItems);
    this.#permissions = new Map(state.permissions);
  }

  take(line: string): void {
    try {
      this.#convert(JSON.parse(line) as FakeOutput, line);
    } catch (error) {
      const data = { error: (error as Error).message, location: "stdout of the fake agent" };
      this.#events.push({ type: "agent.unparsed", data, source: "agent", synthetic: false, raw: line });
    }
  }

  result(): Converted {
    return {
      state: {
        itemPrefix: this.#itemPrefix,
        directory: this.#directory,
        itemCount: this.#itemCount,
        permissionCount: this.#permissionCount,
        openItems: this.#openItems,
        permissions: this.#permissions,
      },
      events: this.#events,
      ...(this.#nativeSessionId === undefined ? {} : { nativeSessionId: this.#nativeSessionId }),
      ...(this.#outcome === undefined ? {} : { outcome: this.#outcome }),
    };
  }

  #convert(native: FakeOutput, raw: string): void {
    switch (native.type) {
      case "text_delta":
        this.#addText(native.item, native.text, raw);
        break;
      case "item_start":
        this.#startItem(native.item, raw);
        break;
      case "item_end":
        this.#endItem(native.item, raw);
        break;
      case "permission_ask":
        this.#askPermission(native, raw);
        break;
      case "ready":
        this.#nativeSessionId = native.session;
        break;
      case "done":
        // An answer that comes now is about a call that the daemon has closed with the turn.
        this.#permissions.clear();
        this.#outcome = native.message ? { reason: native.reason, message: native.message } : { reason: native.reason };
        break;
      default:
        throw new Error(`unknown type of line: ${JSON.stringify((native as { type?: unknown } | null)?.type)}`);
    }
  }

  #startItem(nativeId: string, raw: string): void {
    const itemId = `${this.#itemPrefix}${++this.#itemCount}`;
    this.#openItems.set(nativeId, { itemId, text: "" });
    const item = message(itemId, nativeId, "in_progress", "");
    this.#events.push({ type: "item.started", data: { item }, source: "agent", synthetic: false, raw });
  }

  #addText(nativeId: string, delta: string, raw: string): void {
    const { itemId, text } = this.#openItem(nativeId);
    this.#openItems.set(nativeId, { itemId, text: appendText(text, delta) });
    const data = { item_id: itemId, native_item_id: nativeId, delta };
    this.#events.push({ type: "item.delta", data, source: "agent", synthetic: false, raw });
  }

  #endItem(nativeId: string, raw: string): void {
    const { itemId, text } = this.#openItem(nativeId);
    this.#openItems.delete(nativeId);
    const item = message(itemId, nativeId, "completed", text);
    this.#events.push({ type: "item.completed", data: { item }, source: "agent", synthetic: false, raw });
  }

  /** The program says nothing of the call that it asks about: it begins with the request and ends with the answer. */
  #askPermission({ id, action, command }: FakeOutput & { type: "permission_ask" }, raw: string): void {
    const permissionId = `${this.#itemPrefix}p${++this.#permissionCount}`;
    const item = toolCall(`${this.#itemPrefix}${++this.#itemCount}`, permissionId, command);
    this.#permissions.set(permissionId, { nativeId: id, item });
    this.#events.push({ type: "item.started", data: { item }, source: "agent", synthetic: false, raw });
    const data: PermissionRequestedData = {
      permission_id: permissionId,
      action,
      kind: "execute",
      tool: "shell",
      paths: [],
      command,
      cwd: this.#directory,
      call_id: permissionId,
      item_id: item.item_id,
      status: "requested",
    };
    this.#events.push({ type: "permission.requested", data, source: "agent", synthetic: false, raw });
  }

  #openItem(nativeId: string): OpenItem {
    const item = this.#openItems.get(nativeId);
    if (!item) throw new Error(`no item ${JSON.stringify(nativeId)} is open`);
    return item;
  }
}

function message(itemId: string, nativeId: string, status: UniversalItem["status"], text: string): UniversalItem {
  const content: UniversalItem["content"] = text === "" ? [] : [{ type: "text", text }];
  return { item_id: itemId, native_item_id: nativeId, kind: "message", role: "assistant", status, content };
}

function toolCall(itemId: string, callId: string, command: string): UniversalItem {
  const content: UniversalItem["content"] = [
    { type: "tool_call", name: "shell", arguments: JSON.stringify({ command }), call_id: callId },
  ];
  return { item_id: itemId, kind: "tool_call", role: "assistant", status: "in_progress", content };
}
