import { SandboxError } from "@sandbox-agent-ts/protocol";
import { JsonRpcError } from "./json-rpc-error.ts";
import {
  type JsonRpcCall,
  type JsonRpcErrorObject,
  type JsonRpcId,
  type JsonRpcReply,
  parseJsonRpc,
} from "./json-rpc-message.ts";

export interface JsonRpcPeerOptions {
  /** Takes one line; rejects when the other side is gone. */
  writeLine(line: string): Promise<void>;
  /** The calls of one read, in order. Replies that came with them are handed out afterwards: they may end what the calls are part of. */
  onCalls(calls: readonly JsonRpcCall[]): void;
  /** A line that is no message. */
  onUnreadable(line: string): void;
  /** Whether our messages carry `"jsonrpc":"2.0"`, as the standard wants it. Default true. */
  readonly versioned?: boolean;
}

export interface RequestOptions {
  /** Reject with `timeout` when no answer came by then. Default: wait as long as the other side lives. */
  readonly timeoutMs?: number;
}

interface Waiting {
  readonly method: string;
  readonly timer: NodeJS.Timeout | undefined;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** Our end of JSON-RPC over lines: requests with their answers, calls of the other side, in both directions at once. */
export class JsonRpcPeer {
  readonly #options: JsonRpcPeerOptions;
  readonly #waiting = new Map<JsonRpcId, Waiting>();
  readonly #envelope: { jsonrpc?: "2.0" };
  #lastId = 0;
  #closed: Error | undefined;

  constructor(options: JsonRpcPeerOptions) {
    this.#options = options;
    this.#envelope = options.versioned === false ? {} : { jsonrpc: "2.0" };
  }

  /** Rejects with a `JsonRpcError` when it is refused, and with the reason of `close` when the other side is lost. */
  request(method: string, params: unknown, { timeoutMs }: RequestOptions = {}): Promise<unknown> {
    if (this.#closed) return Promise.reject(this.#closed);
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const timer = timeoutMs === undefined ? undefined : setTimeout(() => this.#giveUp(id, timeoutMs), timeoutMs);
      this.#waiting.set(id, { method, timer, resolve, reject });
      this.#write({ id, method, params }).catch((error: unknown) => this.#take(id)?.reject(error));
    });
  }

  async notify(method: string, params?: unknown): Promise<void> {
    await this.#write({ method, ...(params === undefined ? {} : { params }) });
  }

  async respond(id: JsonRpcId, result: unknown): Promise<void> {
    await this.#write({ id, result });
  }

  async refuse(id: JsonRpcId, error: JsonRpcErrorObject): Promise<void> {
    await this.#write({ id, error });
  }

  /** The lines of one read. */
  takeLines(lines: readonly string[]): void {
    const calls: JsonRpcCall[] = [];
    const replies: JsonRpcReply[] = [];
    for (const line of lines) {
      if (line === "") continue;
      const message = parseJsonRpc(line);
      if (!message) this.#options.onUnreadable(line);
      else if ("call" in message) calls.push(message.call);
      else replies.push(message.reply);
    }
    if (calls.length > 0) this.#options.onCalls(calls);
    for (const reply of replies) this.#settle(reply);
  }

  /** The other side is lost: every request that waits rejects with this. */
  close(reason: Error): void {
    this.#closed ??= reason;
    for (const id of [...this.#waiting.keys()]) this.#take(id)?.reject(this.#closed);
  }

  #settle({ id, result, error }: JsonRpcReply): void {
    const waiting = this.#take(id);
    if (error) waiting?.reject(new JsonRpcError(waiting.method, error));
    else waiting?.resolve(result);
  }

  #giveUp(id: JsonRpcId, timeoutMs: number): void {
    const waiting = this.#take(id);
    waiting?.reject(new SandboxError("timeout", `${waiting.method} was not answered within ${timeoutMs} ms.`));
  }

  #take(id: JsonRpcId): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    clearTimeout(waiting?.timer);
    return waiting;
  }

  async #write(message: object): Promise<void> {
    if (this.#closed) throw this.#closed;
    await this.#options.writeLine(JSON.stringify({ ...this.#envelope, ...message }));
  }
}
