import type { JsonRpcCall, JsonRpcId } from "../../../json-rpc/json-rpc-message.ts";
import { permissionData, rememberedPermission, withdrawnPermission } from "../../../permissions/permission-data.ts";
import { questionData, withdrawnQuestion } from "../../../questions/question-data.ts";
import type { Converted } from "../convert.ts";
import type { CodexAsk, CodexError, CodexItem, CodexParams, CodexTurn } from "../dialect.ts";
import { usesOf } from "./allowed-uses.ts";
import { permissionAnswer } from "./answers.ts";
import type { CodexState, OpenItem, OpenRequest, ThreadUsage, TurnEnd } from "./codex-state.ts";
import { errorData } from "./error-sentence.ts";
import { ItemWriter, keyOf } from "./item-writer.ts";
import { isIgnored } from "./notices.ts";
import { decidedByMode, readAsk } from "./requests.ts";
import { planStatus, statusOf } from "./status-view.ts";
import { isTool } from "./tool-view.ts";
import { addReport, turnUsage } from "./turn-usage.ts";

const proseTypes = new Set(["agentMessage", "plan", "reasoning"]);
/** What the user said is written by the daemon; what hooks say to the model is nobody's news. */
const untold = new Set(["userMessage", "hookPrompt"]);

type Ask = NonNullable<ReturnType<typeof readAsk>>;
type PermissionAsk = Extract<Ask, { type: "permission" }>;
type QuestionAsk = Extract<Ask, { type: "question" }>;

/** One batch of calls on its way to drafts; the state it began with is left as it was. */
export class Conversion {
  static readonly #handlers: Readonly<Record<string, (self: Conversion, params: CodexParams, raw: string) => void>> = {
    "item/agentMessage/delta": (self, params, raw) => self.#speak("agentMessage", params, raw),
    "item/plan/delta": (self, params, raw) => self.#speak("plan", params, raw),
    "item/reasoning/summaryTextDelta": (self, params, raw) => self.#speak("reasoning", params, raw),
    "item/reasoning/textDelta": (self, params, raw) => self.#speak("reasoning", params, raw),
    "item/reasoning/summaryPartAdded": (self, params, raw) => {
      if (params.summaryIndex) self.#speak("reasoning", { ...params, delta: "\n\n" }, raw);
    },
    "item/commandExecution/outputDelta": (self, { threadId = "", itemId, delta = "" }, raw) =>
      self.#items.addOutput(threadId, itemId, delta, raw),
    "item/started": (self, { threadId = "", item = {} }, raw) => self.#startItem(threadId, item, raw),
    "item/completed": (self, { threadId = "", item = {} }, raw) => self.#finishItem(threadId, item, raw),
    "turn/started": (self, { threadId = "", turn }) => self.#startTurn(threadId, turn?.id ?? ""),
    "turn/completed": (self, { threadId = "", turn = {} }, raw) => self.#finishTurn(threadId, turn, raw),
    "turn/plan/updated": (self, params, raw) => {
      self.#items.showStatus(params.threadId ?? "", "Plan", planStatus(params), raw);
    },
    "thread/tokenUsage/updated": (self, { threadId = "", tokenUsage }) => {
      if (tokenUsage) self.#usage.set(threadId, addReport(self.#usage.get(threadId), tokenUsage));
    },
    error: (self, params, raw) => self.#takeError(params, raw),
    "serverRequest/resolved": (self, { requestId }, raw) => self.#withdraw(requestId, raw),
  };

  readonly #items: ItemWriter;
  readonly #state: CodexState;
  readonly #answers: { id: JsonRpcId; result: unknown }[] = [];
  readonly #refused: JsonRpcId[] = [];
  readonly #requests: Map<string, OpenRequest>;
  readonly #activeTurns: Map<string, string>;
  #usage: Map<string, ThreadUsage>;
  #requestCount: number;
  #ending: TurnEnd | undefined;
  #ended: TurnEnd | undefined;
  #plan: string | undefined;
  #errorTold: boolean;
  #retrying: CodexError | undefined;
  #failedServers: ReadonlySet<string>;
  #givenUp: CodexError | undefined;

  constructor(state: CodexState) {
    this.#state = state;
    this.#items = new ItemWriter(state);
    this.#requests = new Map(state.requests);
    this.#activeTurns = new Map(state.activeTurns);
    this.#usage = new Map(state.usage);
    this.#requestCount = state.requestCount;
    this.#ending = state.ending;
    this.#plan = state.plan;
    this.#errorTold = state.errorTold;
    this.#retrying = state.retrying;
    this.#failedServers = state.failedServers;
    this.#givenUp = state.givenUp;
  }

  take(call: JsonRpcCall): void {
    if (call.id !== undefined) this.#takeRequest(call.method, (call.params ?? {}) as CodexAsk, call.id, call.raw);
    else this.#takeNotification(call.method, (call.params ?? {}) as CodexParams, call.raw);
  }

  result(): Converted {
    const { itemCount, openItems, abandoned, parents, drafts, images } = this.#items;
    return {
      state: {
        setting: this.#state.setting,
        threadId: this.#state.threadId,
        itemCount,
        openItems,
        abandoned,
        parents,
        requestCount: this.#requestCount,
        requests: this.#requests,
        allowed: this.#state.allowed,
        activeTurns: this.#activeTurns,
        usage: this.#usage,
        ending: this.#ending,
        plan: this.#plan,
        errorTold: this.#errorTold,
        retrying: this.#retrying,
        failedServers: this.#failedServers,
        givenUp: this.#givenUp,
      },
      drafts,
      images,
      answers: this.#answers,
      refused: this.#refused,
      ...(this.#ended === undefined ? {} : { ended: this.#ended }),
    };
  }

  #takeNotification(method: string, params: CodexParams, raw: string): void {
    const handle = Conversion.#handlers[method];
    if (method.startsWith("item/")) this.#retrying = undefined;
    if (handle) handle(this, params, raw);
    else this.#takeNotice(method, params, raw);
  }

  #speak(type: string, { threadId = "", itemId = "", delta = "" }: CodexParams, raw: string): void {
    const { abandoned } = this.#items;
    const isAbandoned = abandoned.size > 0 && abandoned.has(keyOf(threadId, itemId));
    if (!isAbandoned) this.#items.speak(threadId, { type, id: itemId }, delta, raw);
  }

  #startItem(threadId: string, item: CodexItem, raw: string): void {
    this.#items.abandoned.delete(keyOf(threadId, item.id));
    if (isTool(item)) this.#items.startTool(threadId, item, raw);
  }

  #finishItem(threadId: string, item: CodexItem, raw: string): void {
    if (this.#items.abandoned.delete(keyOf(threadId, item.id))) return;
    if (isTool(item)) this.#finishTool(threadId, item, raw);
    else if (proseTypes.has(item.type ?? "")) this.#finishProse(threadId, item, raw);
    else if (!untold.has(item.type ?? "")) this.#showStatus(threadId, item, raw);
  }

  #showStatus(threadId: string, item: CodexItem, raw: string): void {
    const status = statusOf(item);
    if (!status) {
      this.#unparsed(`unknown type of item: ${JSON.stringify(item.type)}`, raw);
      return;
    }
    const itemId = this.#items.showStatus(threadId, status.label, status.detail, raw);
    if (item.agentThreadId && item.kind === "started") this.#items.parents.set(item.agentThreadId, itemId);
  }

  #finishTool(threadId: string, item: CodexItem, raw: string): void {
    const call = this.#items.startTool(threadId, item, raw);
    this.#items.finishTool(threadId, item, raw);
    if (item.type !== "collabAgentToolCall" || item.tool !== "spawnAgent") return;
    for (const agent of item.receiverThreadIds ?? []) this.#items.parents.set(agent, call.item.item_id);
  }

  #finishProse(threadId: string, item: CodexItem, raw: string): void {
    const thought = () => [...(item.summary ?? []), ...(item.content ?? [])].join("\n\n");
    const text = item.type === "reasoning" ? thought() : (item.text ?? "");
    if (item.type === "plan" && threadId === this.#state.threadId) this.#plan = text;
    this.#items.finishProse(threadId, item, text, raw);
  }

  #startTurn(threadId: string, turnId: string): void {
    this.#activeTurns.set(threadId, turnId);
    if (threadId !== this.#state.threadId) return;
    this.#usage = new Map();
    this.#ending = undefined;
    this.#plan = undefined;
    this.#errorTold = false;
    this.#givenUp = undefined;
  }

  #finishTurn(threadId: string, turn: CodexTurn, raw: string): void {
    this.#activeTurns.delete(threadId);
    this.#retrying = undefined;
    this.#items.abandon(threadId, raw, { failed: turn.status !== "completed" });
    if (threadId === this.#state.threadId) this.#ending = this.#endOf(turn, raw);
    if (!this.#ending || this.#activeTurns.size > 0) return;
    const usage = turnUsage(this.#usage.values());
    this.#ended = { ...this.#ending, ...(usage === undefined ? {} : { usage }) };
    this.#ending = undefined;
    // Who was still asked is told by the daemon that it is over.
    this.#requests.clear();
  }

  #endOf({ status, error }: CodexTurn, raw: string): TurnEnd {
    const gaveUp = status === "interrupted" && this.#givenUp !== undefined;
    if (status === "interrupted" && !gaveUp) return { reason: "interrupted" };
    if (status !== "failed" && !gaveUp)
      return { reason: "completed", ...(this.#plan === undefined ? {} : { plan: this.#plan }) };
    const data = errorData(error ?? this.#givenUp ?? {});
    if (!this.#errorTold) this.#items.push({ type: "error", data }, raw);
    return { reason: "error", message: data.message };
  }

  /** While it tries again, what an attempt has said so far is void: the next one begins anew. */
  #takeError({ threadId = "", error = {}, willRetry }: CodexParams, raw: string): void {
    if (willRetry) {
      this.#retrying = error;
      this.#items.abandon(threadId, raw, { proseOnly: true });
      this.#items.showStatus(threadId, "Trying again", error.message ?? null, raw);
      return;
    }
    this.#items.push({ type: "error", data: errorData(error) }, raw);
    if (threadId === this.#state.threadId) this.#errorTold = true;
  }

  #takeNotice(method: string, params: CodexParams, raw: string): void {
    const { threadId = "", message } = params;
    if (method === "warning" || method === "guardianWarning") {
      this.#items.showStatus(threadId, "Warning", message ?? null, raw);
    } else if (method === "model/rerouted") {
      this.#items.showStatus(threadId, "Model changed", params.toModel ?? null, raw);
    } else if (method === "mcpServer/startupStatus/updated") {
      this.#takeServer(params, raw);
    } else if (!isIgnored(method)) {
      this.#unparsed(`unknown notification: ${method}`, raw);
    }
  }

  #takeServer(params: CodexParams, raw: string): void {
    const { threadId = "", name = "", status } = params;
    const { error } = params as { error?: unknown };
    const known = this.#failedServers.has(name);
    if (status === "ready") this.#failedServers = new Set([...this.#failedServers].filter((other) => other !== name));
    if (status !== "failed" || known) return;
    this.#failedServers = new Set([...this.#failedServers, name]);
    this.#items.showStatus(threadId, `MCP server ${name} failed`, typeof error === "string" ? error : null, raw);
  }

  #takeRequest(method: string, params: CodexAsk, rpcId: JsonRpcId, raw: string): void {
    const { setting } = this.#state;
    const item = this.#itemOf(params);
    const ask = readAsk(method, params, item?.native, setting);
    if (!ask) {
      this.#refused.push(rpcId);
      return;
    }
    if (ask.type === "permission") this.#takePermission(ask, item, rpcId, raw);
    else this.#askQuestion(ask, item ?? this.#startInputCall(params, rpcId, raw), rpcId, raw);
  }

  #takePermission(ask: PermissionAsk, item: OpenItem | undefined, rpcId: JsonRpcId, raw: string): void {
    const { setting } = this.#state;
    const mode = decidedByMode(setting, item?.native);
    if (mode) {
      this.#answers.push({ id: rpcId, result: permissionAnswer(ask.answer, mode) });
      return;
    }
    const data = permissionData(this.#nextRequestId(), { ...ask.use, ...callOf(item) }, setting.calls);
    if (usesOf(ask.use.metadata).every((use) => this.#state.allowed.has(use))) {
      this.#answers.push({ id: rpcId, result: permissionAnswer(ask.answer, "always") });
      this.#items.push({ type: "permission.resolved", data: rememberedPermission(data) }, raw);
      return;
    }
    this.#requests.set(data.permission_id, { rpcId, answer: ask.answer, asked: { type: "permission", data } });
    this.#items.push({ type: "permission.requested", data }, raw);
  }

  #askQuestion({ questions, answer }: QuestionAsk, item: OpenItem | undefined, rpcId: JsonRpcId, raw: string): void {
    const data = questionData(this.#nextRequestId(), questions, callOf(item));
    this.#requests.set(data.question_id, { rpcId, answer, asked: { type: "question", data } });
    this.#items.push({ type: "question.requested", data }, raw);
  }

  /** Codex asks its questions by a tool whose call it does not tell. */
  #startInputCall({ threadId = "", itemId, questions }: CodexAsk, requestId: JsonRpcId, raw: string) {
    if (itemId === undefined) return undefined;
    const native = { type: "requestUserInput", id: itemId, requestId, arguments: { questions } };
    return this.#items.startTool(threadId, native, raw);
  }

  #finishInputCall(rpcId: JsonRpcId | undefined, status: "completed" | "failed", raw: string): void {
    for (const { threadId, native } of this.#items.openItems.values()) {
      if (native.type === "requestUserInput" && native.requestId === rpcId) {
        this.#items.finishTool(threadId, { ...native, status }, raw);
      }
    }
  }

  #nextRequestId(): string {
    this.#requestCount += 1;
    return `${this.#state.setting.itemPrefix}r${this.#requestCount}`;
  }

  /** The item that waits for the answer. Codex does not say which tool of an MCP server it asks about: the one that was called. */
  #itemOf({ threadId = "", itemId, serverName }: CodexAsk): OpenItem | undefined {
    if (itemId !== undefined) return this.#items.openItems.get(keyOf(threadId, itemId));
    const open = [...this.#items.openItems.values()].filter((item) => item.threadId === threadId);
    return open.findLast(({ native }) => native.type === "mcpToolCall" && native.server === serverName);
  }

  /** The server does not wait for this answer any more. */
  #withdraw(rpcId: JsonRpcId | undefined, raw: string): void {
    const isOpen = [...this.#requests.values()].some((request) => request.rpcId === rpcId);
    this.#finishInputCall(rpcId, isOpen ? "failed" : "completed", raw);
    for (const [id, request] of this.#requests) {
      if (request.rpcId !== rpcId) continue;
      this.#requests.delete(id);
      const { type, data } = request.asked;
      if (type === "permission")
        this.#items.push({ type: "permission.resolved", data: withdrawnPermission(data) }, raw);
      else this.#items.push({ type: "question.resolved", data: withdrawnQuestion(data) }, raw);
    }
  }

  #unparsed(error: string, raw: string): void {
    this.#items.push({ type: "agent.unparsed", data: { error, location: "codex app-server" } }, raw);
  }
}

/** The tool call that waits for the answer. */
function callOf(open: OpenItem | undefined): { callId?: string; itemId?: string } {
  const call = open?.item.content.find((part) => part.type === "tool_call");
  return open && call ? { callId: call.call_id, itemId: open.item.item_id } : {};
}
