import type { PermissionRequestedData } from "@sandbox-agent-ts/protocol";
import { costOf } from "../../../costs/cost-of.ts";
import { rememberedPermission, withdrawnPermission } from "../../../permissions/permission-data.ts";
import { withdrawnQuestion } from "../../../questions/question-data.ts";
import type { Converted, NativeAnswer } from "../convert.ts";
import type { EventProperties, MessageInfo, NativeError, OpencodeEvent, Part } from "../dialect.ts";
import { acceptsEdits, decide } from "../permission-rules.ts";
import { errorData, givenUpError, plainly } from "./error-data.ts";
import { ItemWriter } from "./item-writer.ts";
import type { OpencodeState, OpenRequest, TurnEnd, TurnProgress } from "./opencode-state.ts";
import { askedPlan, askedQuestions, inputOfAsk, permissionData, rememberedKeys, type WaitingCall } from "./requests.ts";
import { imageOf } from "./tool-view.ts";
import { addTokens, usageOf } from "./turn-usage.ts";

/** How OpenCode knows its request, and what `always` would remember of it. */
type NativeAsk = Pick<Extract<OpenRequest, { type: "permission" }>, "nativeId" | "keys">;
type Handler = (self: Conversion, properties: EventProperties, raw: string) => void;

/** Parts that tell nothing: bookkeeping of the server, and what other events say better. */
const untold = new Set(["step-start", "snapshot", "agent", "subtask", "retry", "compaction"]);
const marks: Readonly<Record<string, string>> = { completed: "[x]", in_progress: "[~]", cancelled: "[-]" };
const PLANNING = "Nothing may be changed before the plan is approved.";
const ABORTED = "MessageAbortedError";
const OVERFLOW = "ContextOverflowError";

/** One batch of events on its way to drafts; the state it began with is left as it was. */
export class Conversion {
  static readonly #handlers: Readonly<Record<string, Handler>> = {
    "message.updated": (self, { info = {} }) => self.#takeMessage(info),
    "message.part.updated": (self, { part = {} }, raw) => self.#takePart(part, raw),
    "message.part.delta": (self, properties, raw) => self.#takeDelta(properties, raw),
    "session.status": (self, properties, raw) => self.#takeStatus(properties, raw),
    "session.error": (self, properties, raw) => self.#takeError(properties, raw),
    "session.idle": (self, { sessionID }, raw) => self.#takeIdle(sessionID, raw),
    "session.compacted": (self, { sessionID }, raw) => self.#tell(sessionID, { label: "Conversation compacted" }, raw),
    "todo.updated": (self, { sessionID, todos = [] }, raw) => {
      const lines = todos.map(({ content = "", status = "" }) => `${marks[status] ?? "[ ]"} ${content}`);
      self.#tell(sessionID, { label: "Todos", detail: lines.join("\n") }, raw);
    },
    "permission.asked": (self, properties, raw) => self.#askPermission(properties, raw),
    "permission.replied": (self, { requestID }, raw) => self.#withdraw(requestID, raw),
    "question.asked": (self, properties, raw) => self.#askQuestion(properties, raw),
    "question.replied": (self, { requestID }, raw) => self.#withdraw(requestID, raw),
    "question.rejected": (self, { requestID }, raw) => self.#withdraw(requestID, raw),
  };

  static readonly #partHandlers: Readonly<Record<string, (self: Conversion, part: Part, raw: string) => void>> = {
    text: (self, part, raw) => self.#takeProse(part, raw),
    reasoning: (self, part, raw) => self.#takeProse(part, raw),
    tool: (self, part, raw) => self.#takeTool(part, raw),
    "step-finish": (self, part) => self.#countStep(part),
    patch: (self, part, raw) => self.#showPatch(part, raw),
    file: (self, part, raw) => self.#showFile(part, raw),
  };

  readonly #state: OpencodeState;
  readonly #items: ItemWriter;
  readonly #userMessages: Set<string>;
  readonly #requests: Map<string, OpenRequest>;
  readonly #answers: NativeAnswer[] = [];
  #requestCount: number;
  #plan: string | undefined;
  #turn: TurnProgress;
  #ended: TurnEnd | undefined;

  constructor(state: OpencodeState) {
    this.#state = state;
    this.#items = new ItemWriter(state);
    this.#userMessages = new Set(state.userMessages);
    this.#requests = new Map(state.requests);
    this.#requestCount = state.requestCount;
    this.#plan = state.plan;
    this.#turn = state.turn;
  }

  take({ type, properties, raw }: OpencodeEvent): void {
    Conversion.#handlers[type]?.(this, properties, raw);
  }

  result(): Converted {
    const { itemCount, announced, openParts, closedParts, parents, diffs, drafts, images } = this.#items;
    return {
      state: {
        ...this.#state,
        itemCount,
        announced,
        openParts,
        closedParts,
        parents,
        diffs,
        userMessages: this.#userMessages,
        requests: this.#requests,
        requestCount: this.#requestCount,
        plan: this.#plan,
        turn: this.#turn,
      },
      drafts,
      images,
      answers: this.#answers,
      ...(this.#ended === undefined ? {} : { ended: this.#ended }),
    };
  }

  #takeMessage({ id = "", sessionID, role, parentID = "", time, error, providerID, modelID }: MessageInfo): void {
    const isOwn = sessionID === this.#state.sessionId;
    if (role === "user") {
      // The server tells once more of messages of earlier turns.
      const isNew = !this.#userMessages.has(id);
      this.#userMessages.add(id);
      if (isOwn && isNew) this.#turn = { ...this.#turn, prompts: new Set([...this.#turn.prompts, id]) };
      return;
    }
    if (!isOwn || !this.#turn.prompts.has(parentID) || id < (this.#turn.answer?.id ?? "")) return;
    const model = modelID === undefined ? this.#turn.model : `${providerID}/${modelID}`;
    const completed = time?.completed !== undefined || error !== undefined;
    this.#turn = { ...this.#turn, answer: { id, completed, ...(error ? { error } : {}) }, model };
  }

  #takePart(part: Part, raw: string): void {
    if (this.#userMessages.has(part.messageID ?? "") || !this.#isOfThisTurn(part)) return;
    if (part.type !== "retry") this.#turn = { ...this.#turn, trouble: undefined };
    const handle = Conversion.#partHandlers[part.type ?? ""];
    if (handle) handle(this, part, raw);
    else if (!untold.has(part.type ?? "")) this.#unparsed(`unknown type of part: ${JSON.stringify(part.type)}`, raw);
  }

  /** Of a turn that was stopped the rest may come when it is over, or when the next one runs. */
  #isOfThisTurn({ sessionID, messageID }: { sessionID?: string; messageID?: string }): boolean {
    const { isOver, prompts } = this.#turn;
    const [first] = prompts;
    if (isOver || first === undefined || messageID === undefined) return !isOver;
    return sessionID !== this.#state.sessionId || messageID > first;
  }

  #takeProse(part: Part, raw: string): void {
    if (part.time?.end === undefined) this.#items.announced.set(part.id ?? "", part);
    else this.#items.finishProse(part, raw);
  }

  #takeTool(part: Part, raw: string): void {
    const { status = "", metadata, input } = part.state ?? {};
    if (this.#items.closedParts.has(part.id ?? "")) return;
    this.#items.announced.set(part.id ?? "", part);
    if (status === "pending") return;
    const { item } = this.#items.startTool(part, raw);
    if (metadata?.sessionId) this.#items.parents.set(metadata.sessionId, item.item_id);
    if (/\/plans\/[^/]+\.md$/.test(String(input?.filePath)) && typeof input?.content === "string")
      this.#plan = input.content;
    if (status === "completed" || status === "error") this.#items.finishTool(part, raw);
    else if (part.tool === "bash" && typeof metadata?.output === "string")
      this.#items.showOutput(part, metadata.output, raw);
  }

  #takeDelta(properties: EventProperties, raw: string): void {
    const { sessionID, messageID = "", partID = "", field, delta = "" } = properties;
    if (field !== "text" || this.#userMessages.has(messageID) || !this.#isOfThisTurn(properties)) return;
    const known = this.#items.openParts.get(partID)?.native ?? this.#items.announced.get(partID);
    this.#items.speak({ id: partID, type: "text", ...(sessionID ? { sessionID } : {}), ...known }, delta, raw);
  }

  /** Between turns there is nobody to tell. */
  #tell(sessionID: string | undefined, status: { label: string; detail?: string }, raw: string): void {
    if (!this.#turn.isOver) this.#items.showStatus(partOf(sessionID), status, raw);
  }

  #countStep({ tokens = {}, cost = 0 }: Part): void {
    this.#turn = { ...this.#turn, tokens: addTokens(this.#turn.tokens, tokens), cost: this.#turn.cost + cost };
  }

  #showPatch(part: Part, raw: string): void {
    const { files = [] } = part;
    if (files.length === 0) return;
    const parts = files.map((path) => ({ type: "file_ref", path, action: "patch" }) as const);
    this.#items.showStatus(part, { label: "Files changed", detail: files.join("\n"), parts }, raw);
  }

  #showFile(part: Part, raw: string): void {
    for (const { shown, file } of imageOf(part, this.#state.setting)) {
      if (file) this.#items.images.push(file);
      this.#items.show(part, { kind: "message", role: "assistant", content: [shown] }, raw);
    }
  }

  /** While it tries again, what an attempt has said so far is void: the next one begins anew. */
  #takeStatus({ sessionID, status = {} }: EventProperties, raw: string): void {
    if (status.type !== "retry") return;
    const { message = "" } = status;
    this.#items.abandon(sessionID, raw, { proseOnly: true });
    this.#tell(sessionID, { label: "Trying again", detail: plainly(message) ?? "" }, raw);
    this.#turn = { ...this.#turn, trouble: message };
  }

  /** A subagent's error is in the result of its tool, and of one that is too long is made a summary. */
  #takeError({ sessionID, error = {} }: EventProperties, raw: string): void {
    const isNone = error.name === ABORTED || error.name === OVERFLOW;
    if (sessionID !== this.#state.sessionId || isNone) return;
    if (this.#turn.prompts.size > 0) this.#tellError(error, raw);
    else this.#turn = { ...this.#turn, earlyError: errorData(error) };
  }

  /** The second error of a turn is the first one with the places in OpenCode's code. */
  #tellError(error: NativeError, raw: string): void {
    if (this.#turn.error) return;
    const data = errorData(error);
    this.#turn = { ...this.#turn, error: data };
    this.#items.push({ type: "error", data }, raw);
  }

  /**
   * A conversation says that it is idle too early and too often: when it is aborted, also when nothing ran, and after an
   * error. It counts once the newest answer to the prompt is whole, or where there was no answer but an error.
   */
  #takeIdle(sessionID: string | undefined, raw: string): void {
    const { isOver, prompts, answer, error, givenUp } = this.#turn;
    const isWhole = answer ? answer.completed : error !== undefined;
    if (sessionID !== this.#state.sessionId || prompts.size === 0 || !isWhole || isOver) return;
    this.#items.abandon(undefined, raw);
    if (givenUp !== undefined) this.#tellError(givenUpError(givenUp), raw);
    else if (answer?.error && answer.error.name !== ABORTED) this.#tellError(answer.error, raw);
    this.#ended = endOf(this.#turn);
    this.#turn = { ...this.#turn, isOver: true };
    // Who was still asked is told by the daemon that it is over.
    this.#requests.clear();
  }

  #askPermission(ask: EventProperties, raw: string): void {
    const { id: nativeId = "", sessionID = "", tool, metadata } = ask;
    if (typeof metadata?.diff === "string" && tool?.callID) this.#items.diffs.set(tool.callID, metadata.diff);
    const keys = rememberedKeys(ask);
    const { rules, setting, isPlanning, allowed } = this.#state;
    const isAllowed = !isPlanning && keys.length > 0 && keys.every((key) => allowed.has(key));
    const about = () => {
      const call = this.#waitingCall(ask, raw);
      const parent = this.#items.parents.get(sessionID);
      return permissionData(this.#nextRequestId(), { ask, call, parent }, setting);
    };
    const action = isAllowed ? "allow" : decide(rules, ask);
    if (action === "deny" && isPlanning) {
      this.#answers.push({ nativeId, reply: "reject", message: PLANNING });
      return;
    }
    if (action === "allow" && !isAllowed && ask.permission === "edit" && acceptsEdits(rules)) {
      this.#acceptEdit(about(), { nativeId, keys }, raw);
      return;
    }
    if (isAllowed) this.#items.push({ type: "permission.resolved", data: rememberedPermission(about()) }, raw);
    if (action !== "ask") {
      this.#answers.push({ nativeId, reply: action === "allow" ? "once" : "reject" });
      return;
    }
    this.#askPerson(about(), { nativeId, keys }, raw);
  }

  #acceptEdit(data: PermissionRequestedData, native: NativeAsk, raw: string): void {
    const { isInside = () => false } = this.#state.setting;
    const paths = data.paths ?? [];
    if (paths.length > 0 && paths.every(isInside)) this.#answers.push({ nativeId: native.nativeId, reply: "once" });
    else this.#askPerson(data, native, raw);
  }

  #askPerson(data: PermissionRequestedData, { nativeId, keys }: NativeAsk, raw: string): void {
    this.#requests.set(data.permission_id, { type: "permission", nativeId, data, keys });
    this.#items.push({ type: "permission.requested", data }, raw);
  }

  #askQuestion(ask: EventProperties, raw: string): void {
    const { id: nativeId = "", questions = [] } = ask;
    const call = this.#waitingCall(ask, raw);
    const id = this.#nextRequestId();
    const isPlan = call?.native.tool === "plan_exit";
    const data = isPlan ? askedPlan(id, questions, call, this.#plan) : askedQuestions(id, questions, call);
    const approval = isPlan ? { approval: questions[0]?.options?.[0]?.label ?? "Yes" } : {};
    this.#requests.set(id, { type: "question", nativeId, data, ...approval });
    this.#items.push({ type: "question.requested", data }, raw);
  }

  /** A call whose input is not told yet begins now, with what the request says of it. */
  #waitingCall(ask: EventProperties, raw: string): WaitingCall | undefined {
    const known = [...this.#items.announced.values()].find(({ callID }) => callID && callID === ask.tool?.callID);
    if (!known) return undefined;
    const input = known.tool === "question" ? { questions: ask.questions } : inputOfAsk(ask);
    const isTold = known.state?.status !== "pending";
    const native = isTold ? known : { ...known, state: { ...known.state, input } };
    return { native, itemId: this.#items.startTool(native, raw).item.item_id };
  }

  /** Answered by somebody else, or by OpenCode itself: a rejection rejects whatever else the conversation asks. */
  #withdraw(nativeId: string | undefined, raw: string): void {
    for (const [id, request] of this.#requests) {
      if (request.nativeId !== nativeId) continue;
      this.#requests.delete(id);
      if (request.type === "permission") {
        this.#items.push({ type: "permission.resolved", data: withdrawnPermission(request.data) }, raw);
      } else {
        this.#items.push({ type: "question.resolved", data: withdrawnQuestion(request.data) }, raw);
      }
    }
  }

  #nextRequestId(): string {
    return `${this.#state.setting.itemPrefix}r${++this.#requestCount}`;
  }

  #unparsed(error: string, raw: string): void {
    this.#items.push({ type: "agent.unparsed", data: { error, location: "opencode serve" } }, raw);
  }
}

function partOf(sessionID: string | undefined): Part {
  return sessionID === undefined ? {} : { sessionID };
}

function endOf(turn: TurnProgress): TurnEnd {
  const { tokens, cost, model } = turn;
  return {
    ...reasonOf(turn),
    ...(tokens ? { usage: usageOf(tokens) } : {}),
    // Where nobody knows the prices, the sum of them is nothing.
    ...(cost > 0 ? { cost: costOf(cost) } : {}),
    ...(model === undefined ? {} : { model }),
  };
}

/** An error that was told and then overcome is none. */
function reasonOf({ answer, error, givenUp }: TurnProgress): TurnEnd {
  if (givenUp === undefined && answer && !answer.error) return { reason: "completed" };
  if (givenUp === undefined && answer?.error?.name === ABORTED) return { reason: "interrupted" };
  return { reason: "error", ...(error ? { message: error.message } : {}) };
}
