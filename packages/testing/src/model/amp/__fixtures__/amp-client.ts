import { once } from "node:events";
import { WebSocket } from "ws";

export interface Told {
  readonly method: string;
  readonly params: Record<string, unknown>;
}

type Tool = (args: Record<string, unknown>) => object;

/** Speaks to the service as Amp's program does: opens a thread, registers its tools, runs them when it is told to. */
export class AmpClient {
  readonly threadId: string;
  readonly told: Told[] = [];
  readonly #url: string;
  readonly #tools: Readonly<Record<string, Tool>>;
  #socket!: WebSocket;
  #requests = 0;
  readonly #news = new EventTarget();

  private constructor(url: string, threadId: string, tools: Readonly<Record<string, Tool>>) {
    this.#url = url;
    this.threadId = threadId;
    this.#tools = tools;
  }

  static async open(url: string, tools: Readonly<Record<string, Tool>> = {}, agentMode = "medium"): Promise<AmpClient> {
    const { threadId } = await post(url, "/api/thread-actors", { executorType: "local-client", agentMode });
    const client = new AmpClient(url, String(threadId), tools);
    await client.connect();
    return client;
  }

  async connect(version = 0, isReady = true): Promise<void> {
    const address = `${this.#url.replace("http", "ws")}/actors/gateway/threadActor/websocket/?rvt-key=${this.threadId}`;
    this.#socket = new WebSocket(address, ["rivet", "rivet_encoding.bare"]);
    this.#socket.on("message", (data) => this.#take(String(data)));
    await once(this.#socket, "open");
    await Promise.all([
      this.request("executor_connect", { clientId: "amp-x-test", capabilities: {} }),
      this.request("executor_guidance_snapshot", { files: [{ uri: "file:///w/AGENTS.md", content: "Be kind." }] }),
      this.request("executor_tools_register", { tools: Object.keys(this.#tools).map((name) => ({ name })) }),
      this.request("client_resume", { version }),
    ]);
    if (isReady) await this.request("executor_tools_bootstrap_complete", { ok: true });
  }

  get protocol(): string {
    return this.#socket.protocol;
  }

  /** Resolves when the service has taken it. */
  async request(method: string, params: object = {}): Promise<void> {
    const id = `r${this.#requests++}`;
    this.#socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    await once(this.#news, id);
  }

  async say(text: string, more: readonly object[] = []): Promise<void> {
    const messageId = `M-${String(this.#requests).padStart(22, "0")}`;
    await this.request("client_append_user_msg", { messageId, content: [{ type: "text", text }, ...more] });
  }

  send(text: string): void {
    this.#socket.send(text);
  }

  /** The first of this kind, whether it was told already or is still to come. */
  async until(method: string, state?: string): Promise<Told> {
    for (;;) {
      const found = this.told.find((told) => told.method === method && (!state || told.params.state === state));
      if (found) return found;
      await once(this.#news, "told");
    }
  }

  async answer(text: string): Promise<readonly Told[]> {
    this.told.length = 0;
    await this.say(text);
    await this.until("agent_state", "idle");
    return this.told.splice(0);
  }

  closed(): Promise<unknown> {
    return once(this.#socket, "close");
  }

  close(): void {
    this.#socket.terminate();
  }

  #take(text: string): void {
    const told = text === "pong" ? { method: "pong", params: {} } : (JSON.parse(text) as Told & { id?: string });
    if ("id" in told) this.#news.dispatchEvent(new Event(String(told.id)));
    if (told.method === undefined) return;
    this.told.push(told);
    if (told.method === "tool_lease") this.#runTool(told.params);
    this.#news.dispatchEvent(new Event("told"));
  }

  #runTool({ toolCallId, toolName, args }: Told["params"]): void {
    const result = this.#tools[String(toolName)]?.(args as Record<string, unknown>);
    if (result) void this.request("executor_tool_result", { toolCallId, run: { status: "done", result } });
  }
}

export async function post(
  url: string,
  path: string,
  body: object,
  key = "scripted",
): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  return { status: response.status, ...((await response.json()) as object) };
}
