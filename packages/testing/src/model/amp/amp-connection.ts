import type { WebSocket } from "ws";
import { type Json, number, object, objects, parsedOrText, string } from "../dialects/json.ts";
import type { ModelState } from "../server/model-state.ts";
import type { ToolRun } from "./amp-message.ts";
import { type AmpThread, notify } from "./amp-thread.ts";
import { AmpTurn, type AskScript } from "./amp-turn.ts";

type Take = (this: AmpConnection, params: Json) => void;

/** What one program says over its connection to a thread: JSON-RPC, and `ping` as plain text. */
export class AmpConnection {
  readonly #socket: WebSocket;
  readonly #thread: AmpThread;
  readonly #ask: AskScript;
  readonly #state: ModelState;

  constructor(socket: WebSocket, thread: AmpThread, ask: AskScript, state: ModelState) {
    this.#socket = socket;
    this.#thread = thread;
    this.#ask = ask;
    this.#state = state;
  }

  take(text: string): void {
    if (text === "ping") {
      this.#socket.send("pong");
      return;
    }
    const { id, method, params } = object(parsedOrText(text));
    this.#takers[string(method)]?.call(this, object(params));
    if (id !== undefined) this.#socket.send(JSON.stringify({ jsonrpc: "2.0", id, result: {} }));
  }

  readonly #takers: Readonly<Record<string, Take>> = {
    executor_connect: (params) => this.#becomeExecutor(params),
    executor_environment_snapshot: (params) => this.#note("environment", params),
    executor_guidance_snapshot: (params) => this.#note("guidance", params),
    executor_skill_snapshot: (params) => this.#note("skills", params),
    executor_tools_register: ({ tools }) => {
      this.#thread.tools = objects(tools);
    },
    executor_tools_bootstrap_complete: () => this.#thread.executorIsReady(),
    client_resume: ({ version }) => this.#thread.replay(this.#socket, number(version) ?? 0),
    client_append_user_msg: (params) => this.#beginTurn(params),
    client_cancel: () => this.#thread.turn?.cancel(),
    executor_tool_result: ({ toolCallId, run }) => this.#thread.finishTool(string(toolCallId), object(run) as ToolRun),
  };

  #becomeExecutor(params: Json): void {
    const executorId = string(params.clientId ?? params.executorId) || "scripted";
    this.#thread.setExecutor(this.#socket);
    notify(this.#socket, "executor_connected", { executorId, registeredToolCount: 0, guidanceInventory: [] });
    this.#thread.tellObservers();
  }

  #note(name: string, told: Json): void {
    this.#thread.context[name] = told;
  }

  #beginTurn({ content, agentMode, messageId }: Json): void {
    const thread = this.#thread;
    thread.turn?.cancel();
    if (string(agentMode)) thread.agentMode = string(agentMode);
    thread.add({ messageId: string(messageId), role: "user", content: objects(content), agentMode: thread.agentMode });
    const turn = new AmpTurn(thread, this.#ask, this.#state.closed);
    thread.turn = turn;
    turn
      .run()
      .catch((error: unknown) => this.#state.problems.push(`The scripted Amp service failed: ${String(error)}`));
  }
}
