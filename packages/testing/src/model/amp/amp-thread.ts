import { once } from "node:events";
import type { WebSocket } from "ws";
import type { Json } from "../dialects/json.ts";
import { string } from "../dialects/json.ts";
import { ampId } from "./amp-ids.ts";
import type { AmpMessage, ToolRun } from "./amp-message.ts";
import type { AmpTurn } from "./amp-turn.ts";
import type { ThreadView } from "./read-thread.ts";

/** One conversation: what was said, what the program told of itself, and who is connected. */
export class AmpThread implements ThreadView {
  readonly id: string;
  agentMode: string;
  readonly messages: AmpMessage[] = [];
  readonly context: Record<string, unknown> = {};
  tools: readonly Json[] = [];
  isArchived = false;
  /** The newest one, whether it still runs or not. */
  turn: AmpTurn | undefined;
  readonly #sockets = new Set<WebSocket>();
  readonly #arrivals = new EventTarget();
  readonly #changes: { readonly method: string; readonly params: Json }[] = [];
  readonly #runs = new Map<string, (run: ToolRun) => void>();
  #executor: WebSocket | undefined;
  #isReady = false;
  #agentState: Json = { state: "idle" };

  constructor(id: string, agentMode: string) {
    this.id = id;
    this.agentMode = agentMode;
  }

  /** Raised by everything that changes the conversation; a program asks for what is newer than it knows. */
  get version(): number {
    return this.#changes.length;
  }

  connect(socket: WebSocket): void {
    this.#sockets.add(socket);
    socket.once("close", () => this.#sockets.delete(socket));
    this.tellObservers();
    notify(socket, "agent_state", this.#agentState);
  }

  tellObservers(): void {
    const hasExecutor = this.#executor !== undefined;
    const observers = { count: this.#sockets.size, observers: [], hasExecutor };
    this.tell("observers", hasExecutor ? { ...observers, executorType: "local-client" } : observers);
  }

  /** The program that runs the tools. It has still to tell of itself; until then the model is not asked. */
  setExecutor(socket: WebSocket): void {
    this.#executor = socket;
    this.#isReady = false;
  }

  executorIsReady(): void {
    this.#isReady = true;
    this.#arrivals.dispatchEvent(new Event("ready"));
  }

  async ready(signal: AbortSignal): Promise<void> {
    if (!this.#isReady) await once(this.#arrivals, "ready", { signal });
  }

  /** Tell all who are connected. */
  tell(method: string, params: Json): void {
    for (const socket of this.#sockets) notify(socket, method, params);
  }

  tellChange(method: string, params: Json): void {
    const change = { method, params: { seq: this.version + 1, ...params } };
    this.#changes.push(change);
    this.tell(method, change.params);
  }

  /** Tell a program that was away what it has missed. */
  replay(socket: WebSocket, version: number): void {
    for (const { method, params } of this.#changes.slice(version)) notify(socket, method, params);
    notify(socket, "agent_state", this.#agentState);
  }

  tellState(state: string, messageId?: string): void {
    this.#agentState = messageId === undefined ? { state } : { state, messageId };
    this.tell("agent_state", this.#agentState);
  }

  nextMessageId(): string {
    return ampId("M", this.id, this.version, this.messages.length);
  }

  add(message: Omit<AmpMessage, "threadId">): void {
    const added = { threadId: this.id, ...message };
    this.messages.push(added);
    this.tellChange("message_added", { message: { ...added } });
  }

  /** Let the program use a tool; resolves with how it ended. */
  runTool(call: Json, messageId: string, signal: AbortSignal): Promise<ToolRun> {
    const toolCallId = string(call.id);
    const lease = { toolCallId, toolName: call.name, args: call.input, messageId };
    return new Promise((resolve, reject) => {
      const stop = (): void => reject(signal.reason);
      signal.addEventListener("abort", stop, { once: true });
      this.#runs.set(toolCallId, (run) => {
        signal.removeEventListener("abort", stop);
        resolve(run);
      });
      if (this.#executor) notify(this.#executor, "tool_lease", lease);
    });
  }

  finishTool(toolCallId: string, run: ToolRun): void {
    this.tell("executor_tool_result_ack", { toolCallId });
    this.#runs.get(toolCallId)?.(run);
    this.#runs.delete(toolCallId);
  }

  /** Break all connections, as a network does. */
  drop(): void {
    for (const socket of this.#sockets) socket.terminate();
    this.#sockets.clear();
    this.#executor = undefined;
    this.#isReady = false;
  }
}

export function notify(socket: WebSocket, method: string, params: Json): void {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify({ jsonrpc: "2.0", method, params }));
}
