import {
  type EventDraft,
  type PermissionReply,
  Question,
  type QuestionRequestedData,
} from "@sandbox-agent-ts/protocol";
import type { Writable } from "../../drafts/own-copies.ts";
import type { ImageFile } from "../../images/image-file.ts";
import type { JsonRpcCall, JsonRpcId } from "../../json-rpc/json-rpc-message.ts";
import { rememberedPermission, withdrawnPermission } from "../../permissions/permission-data.ts";
import { questionData, withdrawnQuestion } from "../../questions/question-data.ts";
import type {
  AcpConfigOption,
  AcpContent,
  AcpElicitation,
  AcpPermissionOption,
  AcpPermissionRequest,
  AcpToolCall,
  AcpUpdate,
} from "../dialect.ts";
import { conformToolCall, conformUpdate } from "../dialect-shapes.ts";
import type { AcpSetting, AcpState, OpenRequest, TurnState } from "./acp-state.ts";
import { answerOutsideTurn, cancelledAnswer } from "./answers.ts";
import { askAboutPlan } from "./ask-about-plan.ts";
import { formCancelled, readForm } from "./elicitation.ts";
import { errorData } from "./error-sentence.ts";
import { ItemWriter } from "./item-writer.ts";
import { currentMode, settingInMode } from "./modes.ts";
import { decidedByMode, permissionAnswer, permissionData, useOf } from "./permissions.ts";
import { planText } from "./plan-text.ts";
import { contentText, imageOf, toolKind, toolName } from "./tool-view.ts";
import { sumOf, tokensOf } from "./turn-usage.ts";

/** What only a model that answered can have caused. */
const ofModel = new Set(["agent_message_chunk", "agent_thought_chunk", "tool_call"]);

export interface Converted {
  readonly state: AcpState;
  readonly drafts: readonly EventDraft[];
  /** To be on disk before the drafts are emitted. */
  readonly images: readonly ImageFile[];
  /** To be told to the agent: what needs no person. */
  readonly answers: readonly { readonly id: JsonRpcId; readonly result: unknown }[];
}

/** One batch of calls on its way to drafts; the state it began with is left as it was. */
export class Conversion {
  static readonly #updates: Readonly<Record<string, (self: Conversion, update: AcpUpdate, raw: string) => void>> = {
    agent_message_chunk: (self, update, raw) => self.#speak("text", update, raw),
    agent_thought_chunk: (self, update, raw) => self.#speak("reasoning", update, raw),
    tool_call: (self, update, raw) => self.#takeCall(update as AcpToolCall, raw),
    tool_call_update: (self, update, raw) => self.#takeCall(update as AcpToolCall, raw),
    plan: (self, update, raw) => self.#showPlan(planText(update), raw),
    current_mode_update: (self, { currentModeId }, raw) => self.#changeMode(currentModeId, raw),
    config_option_update: (self, { configOptions }, raw) => {
      self.#configOptions = configOptions ?? self.#configOptions;
      self.#changeMode(currentMode({ configOptions: self.#configOptions }), raw);
    },
    usage_update: (self, update) => self.#count(update),
    notice: (self, { severity, title, parentToolCallId }, raw) => {
      const label = severity === "info" || !severity ? "Notice" : capital(severity);
      self.#items.showStatus(label, title ?? null, raw, self.#items.itemOfCall(parentToolCallId));
    },
    compaction_update: (self, update, raw) => self.#compact(update, raw),
  };

  readonly #items: ItemWriter;
  readonly #state: AcpState;
  readonly #answers: { id: JsonRpcId; result: unknown }[] = [];
  readonly #requests: Map<string, OpenRequest>;
  #setting: AcpSetting;
  #requestCount: number;
  #modeId: string | undefined;
  #configOptions: readonly AcpConfigOption[];
  readonly #turn: Writable<TurnState>;
  #lastPlan: string;

  constructor(state: AcpState, terminals: ReadonlyMap<string, string> = new Map()) {
    this.#state = state;
    this.#setting = state.setting;
    this.#items = new ItemWriter(state, terminals);
    this.#requests = new Map(state.requests);
    this.#requestCount = state.requestCount;
    this.#modeId = state.modeId;
    this.#configOptions = state.configOptions;
    this.#turn = { ...state.turn };
    this.#lastPlan = state.lastPlan;
  }

  /** Requests that ask for something to be done, and not for a decision, are not for us. */
  take({ method, params, id, raw }: JsonRpcCall): void {
    this.#items.endRefused(calledIn(params), raw);
    if (method === "session/update") this.#takeUpdate(((params ?? {}) as { update?: AcpUpdate }).update, raw);
    if (method === "$/cancel_request") {
      const { requestId } = (params ?? {}) as { requestId?: unknown };
      this.#withdraw(({ rpcId }) => rpcId === requestId, raw);
    }
    if (id === undefined) return;
    if (method === "session/request_permission") this.#takePermission((params ?? {}) as AcpPermissionRequest, id, raw);
    if (method === "elicitation/create") this.#takeForm((params ?? {}) as AcpElicitation, id, raw);
  }

  /** Nothing of it could be read; whoever waits for an answer to it gets one. */
  takeUnreadable({ method, id, raw }: JsonRpcCall, error: unknown): void {
    const data = { error: (error as Error).message, location: this.#setting.agentName };
    this.#items.push({ type: "agent.unparsed", data }, raw);
    const result = answerOutsideTurn(method);
    if (id !== undefined && result) this.#answers.push({ id, result });
  }

  /** A try failed and another one follows; the agent itself does not say so. */
  tryAgain(what: string): void {
    const { agentName, program } = this.#state.setting;
    const retrying = errorData(agentName, { message: what }, program);
    this.#turn.retrying = retrying;
    this.#items.showStatus("Trying again", what, undefined);
  }

  /** The prompt was answered: what is open will not be continued. `stopped`: because we wanted the turn to end. */
  endTurn({ failed, stopped }: { failed: boolean; stopped: boolean }): void {
    const status = failed ? "failed" : "completed";
    if (stopped) this.#answers.push(...[...this.#requests.values()].map(cancelledAnswer));
    else this.#withdraw(() => true, undefined);
    this.#items.endProse(undefined, status);
    this.#items.endRefused(undefined, undefined);
    for (const id of [...this.#items.calls.keys()]) this.#items.endCall(id, undefined, "failed");
    this.#requests.clear();
    this.#turn.running = false;
    this.#turn.retrying = undefined;
  }

  get lastText(): string {
    return this.#items.lastText;
  }

  push(draft: Parameters<ItemWriter["push"]>[0]): void {
    this.#items.push(draft, undefined);
  }

  result(): Converted {
    const { itemCount, prose, calls, endedCalls, lastText, drafts, images } = this.#items;
    return {
      state: {
        setting: this.#setting,
        allowedUses: this.#state.allowedUses,
        itemCount,
        requestCount: this.#requestCount,
        prose,
        calls,
        endedCalls,
        requests: this.#requests,
        modeId: this.#modeId,
        configOptions: this.#configOptions,
        turn: this.#turn,
        lastText,
        lastPlan: this.#lastPlan,
      },
      drafts,
      images,
      answers: this.#answers,
    };
  }

  #takeUpdate(native: AcpUpdate | undefined, raw: string): void {
    if (native?.sessionUpdate === undefined) throw new Error("It is an update that does not say of what kind.");
    const updates = this.#state.setting.quirks.rewriteUpdate?.(native) ?? [native];
    for (const rewritten of updates) {
      const update = rewritten === native ? native : (conformUpdate(rewritten) ?? {});
      const kind = update.sessionUpdate ?? "";
      this.#watchRetries(update, kind);
      if (Object.hasOwn(Conversion.#updates, kind)) Conversion.#updates[kind]!(this, update, raw);
    }
  }

  /** Whatever the model says or does ends a row of failures. */
  #watchRetries(update: AcpUpdate, kind: string): void {
    const retrying = this.#state.setting.quirks.readRetry?.(update);
    const isAnswer = !retrying && ofModel.has(kind);
    if (retrying || isAnswer) this.#turn.retrying = retrying;
    if (isAnswer) this.#turn.answers += 1;
  }

  #speak(kind: "text" | "reasoning", update: AcpUpdate, raw: string): void {
    const { content, messageId, _meta, parentToolCallId } = update;
    this.#countTokens(_meta);
    const said = (content ?? {}) as AcpContent;
    for (const image of imageOf(said, this.#state.setting.imageDir)) this.#items.showImage(image, raw);
    const parentId = this.#items.itemOfCall(parentToolCallId);
    this.#items.speak(contentText(said).join(""), { kind, messageId: messageId ?? undefined, parentId }, raw);
  }

  #takeCall(told: AcpToolCall, raw: string): void {
    const id = told.toolCallId;
    if (id === undefined || this.#items.endedCalls.has(id)) return;
    const { sessionUpdate: _, parentToolCallId, ...news } = told as AcpUpdate;
    const parentId = this.#items.itemOfCall(parentToolCallId);
    const { status } = this.#items.updateCall(id, news as AcpToolCall, raw, parentId);
    if (status !== "completed" && status !== "failed") return;
    this.#withdraw(({ data }) => data.call_id === id, raw);
    this.#items.endCall(id, raw, status);
  }

  /** The agent ended by itself what it had asked for. It is answered nevertheless, in case it still waits. */
  #withdraw(isOver: (request: OpenRequest) => boolean, raw: string | undefined): void {
    for (const [id, request] of this.#requests) {
      if (!isOver(request)) continue;
      this.#requests.delete(id);
      this.#answers.push(cancelledAnswer(request));
      if (request.type === "permission") {
        this.#items.push({ type: "permission.resolved", data: withdrawnPermission(request.data) }, raw);
      } else {
        this.#items.push({ type: "question.resolved", data: withdrawnQuestion(request.data) }, raw);
      }
    }
  }

  #showPlan(plan: string, raw: string): void {
    if (plan === "" || plan === this.#lastPlan) return;
    this.#lastPlan = plan;
    this.#items.showStatus("Plan", plan, raw);
  }

  #changeMode(modeId: string | undefined, raw: string): void {
    if (modeId === undefined || modeId === this.#modeId) return;
    const before = this.#modeId;
    this.#modeId = modeId;
    if (before === undefined) return;
    this.#items.showStatus("Mode changed", modeId, raw);
    const setting = settingInMode(this.#setting, modeId);
    if (setting.permissionMode === this.#setting.permissionMode) return;
    const leftPlan = this.#setting.permissionMode === "plan";
    const changes = { permission_mode: setting.permissionMode, ...(leftPlan ? { agent_mode: "build" } : {}) };
    this.#setting = setting;
    this.#items.push({ type: "session.updated", data: { changes } }, raw);
  }

  #count({ cost, _meta }: AcpUpdate): void {
    this.#countTokens(_meta);
    if (typeof cost?.amount !== "number") return;
    this.#turn.cost = cost.amount;
    this.#turn.currency = cost.currency ?? "USD";
  }

  #countTokens(meta: AcpUpdate["_meta"]): void {
    const told = tokensOf(meta);
    if (!told) return;
    const adds = this.#state.setting.quirks.countsTokens === "byRequest";
    this.#turn.tokens = adds ? sumOf(this.#turn.tokens, told, 1) : told;
  }

  #compact({ status, error }: AcpUpdate, raw: string): void {
    if (status === "completed") this.#items.showStatus("Conversation compacted", null, raw);
    if (status === "failed") this.#items.showStatus("The conversation could not be compacted", error ?? null, raw);
  }

  #takePermission({ toolCall: native = {}, options = [] }: AcpPermissionRequest, rpcId: JsonRpcId, raw: string): void {
    const setting = this.#setting;
    const { allowedUses } = this.#state;
    const toolCall = conformToolCall(setting.quirks.rewriteRequest?.(native, options) ?? native);
    const id = toolCall.toolCallId;
    const call =
      id === undefined || this.#items.endedCalls.has(id) ? toolCall : this.#items.updateCall(id, toolCall, raw);
    const questions = (setting.quirks.readQuestions?.(call) ?? []).map((question) => Question.parse(question));
    if (questions.length > 0) {
      this.#ask(
        "asked",
        questionData(this.#nextRequest(), questions, { callId: id, itemId: this.#items.itemOfCall(id) }),
        options,
        rpcId,
        raw,
      );
      return;
    }
    if (toolKind(call, setting) === "switch_mode" && setting.permissionMode !== "bypass") {
      this.#ask(
        "plan",
        askAboutPlan(this.#nextRequest(), call, setting, this.#items.itemOfCall(id)),
        options,
        rpcId,
        raw,
      );
      return;
    }
    if (setting.permissionMode !== "bypass" && setting.quirks.actsUnasked?.(call)) {
      this.#refuseUnasked(call, options, rpcId, raw);
      return;
    }
    const use = useOf(call, setting);
    const isRemembered = allowedUses.has(use);
    const decided: PermissionReply | undefined = isRemembered ? "once" : decidedByMode(call, setting);
    const itemId = this.#items.itemOfCall(id);
    if (isRemembered) {
      const data = rememberedPermission(permissionData(this.#nextRequest(), call, setting, itemId));
      this.#items.push({ type: "permission.resolved", data }, raw);
    }
    if (decided) {
      if (decided === "reject") this.#refuse(id);
      this.#answers.push({ id: rpcId, result: permissionAnswer(options, decided) });
      return;
    }
    const data = permissionData(this.#nextRequest(), call, setting, itemId);
    this.#requests.set(data.permission_id, { type: "permission", rpcId, data, options, use });
    this.#items.push({ type: "permission.requested", data }, raw);
  }

  #refuse(callId: string | undefined): void {
    this.#turn.refused = true;
    this.#items.refuseCall(callId);
  }

  #refuseUnasked(call: AcpToolCall, options: readonly AcpPermissionOption[], rpcId: JsonRpcId, raw: string): void {
    const { agentName, permissionMode } = this.#setting;
    const detail =
      `${agentName} would act in it without asking, which the permission mode ${permissionMode} does not allow. ` +
      "Set the permission mode bypass to let it.";
    this.#items.showStatus(`${toolName(call, this.#setting)} was refused`, detail, raw);
    this.#refuse(call.toolCallId);
    this.#answers.push({ id: rpcId, result: permissionAnswer(options, "reject") });
  }

  #ask(
    type: "plan" | "asked",
    data: QuestionRequestedData,
    options: readonly AcpPermissionOption[],
    rpcId: JsonRpcId,
    raw: string,
  ): void {
    this.#requests.set(data.question_id, { type, rpcId, data, options });
    this.#items.push({ type: "question.requested", data }, raw);
  }

  #takeForm(native: AcpElicitation, rpcId: JsonRpcId, raw: string): void {
    const form = readForm(this.#nextRequest(), native);
    if (!form) {
      this.#answers.push({ id: rpcId, result: formCancelled });
      return;
    }
    this.#requests.set(form.data.question_id, { type: "question", rpcId, ...form });
    this.#items.push({ type: "question.requested", data: form.data }, raw);
  }

  #nextRequest(): string {
    return `${this.#state.setting.itemPrefix}r${++this.#requestCount}`;
  }
}

/** The call of a tool that a message is about. */
function calledIn(params: unknown): string | undefined {
  const { update, toolCall } = (params ?? {}) as { update?: AcpUpdate } & AcpPermissionRequest;
  return update?.toolCallId ?? toolCall?.toolCallId;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
