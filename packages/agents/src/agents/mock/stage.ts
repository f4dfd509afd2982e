import { setImmediate, setTimeout } from "node:timers/promises";
import type {
  ContentPart,
  EventDraft,
  PermissionMode,
  PermissionReply,
  PermissionRequestedData,
  Question,
  UniversalItem,
} from "@sandbox-agent-ts/protocol";
import { type CallSetting, permissionData, rememberedPermission } from "../../permissions/permission-data.ts";
import { questionData } from "../../questions/question-data.ts";
import type { ToolUse } from "./decide-use.ts";
import { mockDraft } from "./mock-draft.ts";
import { type ItemStart, OpenItem } from "./open-item.ts";
import type { OpenRequests } from "./open-requests.ts";
import type { SessionMemory } from "./session-memory.ts";
import { textChunks } from "./text-chunks.ts";
import type { WordCount } from "./word-count.ts";

export type QuestionAnswers = readonly (readonly string[])[] | null;

export interface PermissionAnswer {
  readonly reply: PermissionReply;
  readonly reason?: string | undefined;
}

/** What a scenario may know of the session it plays in. */
export interface StageSession {
  /** As it is now: the end of plan mode changes it. */
  readonly permissionMode: PermissionMode;
  readonly callSetting: CallSetting;
  readonly dataDir: string;
  readonly memory: SessionMemory;
  readonly permissions: OpenRequests<PermissionAnswer>;
  readonly questions: OpenRequests<QuestionAnswers>;
  leavePlanMode(): void;
  nextId(): string;
  emit(drafts: readonly EventDraft[]): void;
}

export interface ToolCall {
  readonly callId: string;
  readonly item: OpenItem;
}

export interface ToolOutcome {
  readonly output: string;
  readonly failed?: boolean;
  /** What the tool did besides answering, e.g. the file it changed. */
  readonly parts?: readonly ContentPart[];
}

/** Where a scenario plays: every helper stops with the signal's reason when the turn is interrupted. */
export class Stage {
  readonly session: StageSession;
  readonly signal: AbortSignal;
  readonly words: WordCount;
  readonly #open = new Set<OpenItem>();

  constructor(session: StageSession, signal: AbortSignal, words: WordCount) {
    this.session = session;
    this.signal = signal;
    this.words = words;
  }

  /** A message of the assistant, streamed word by word. */
  async say(text: string, inside: { parentId?: string } = {}): Promise<void> {
    const item = this.openMessage({ type: "text", text: "" }, inside.parentId);
    for (const chunk of textChunks(text)) {
      item.append(chunk);
      this.words.say(chunk);
      await this.breathe();
    }
    this.finish(item);
  }

  async reason(text: string): Promise<void> {
    const item = this.openMessage({ type: "reasoning", text: "", visibility: "public" });
    for (const chunk of textChunks(text)) {
      item.append(chunk);
      this.words.reason(chunk);
      await this.breathe();
    }
    this.finish(item);
  }

  openMessage(part: ContentPart, parentId?: string): OpenItem {
    const parent = parentId === undefined ? {} : { parent_id: parentId };
    return this.#start({
      item_id: this.session.nextId(),
      ...parent,
      kind: "message",
      role: "assistant",
      content: [part],
    });
  }

  /** An item that comes whole. */
  show(item: Pick<UniversalItem, "kind" | "role" | "content">): void {
    this.finish(this.#start({ item_id: this.session.nextId(), ...item }));
  }

  startTool(name: string, input: object): ToolCall {
    const id = this.session.nextId();
    const callId = `call-${id}`;
    const part: ContentPart = { type: "tool_call", name, arguments: JSON.stringify(input), call_id: callId };
    const item = this.#start({ item_id: id, kind: "tool_call", role: "assistant", content: [part] });
    return { callId, item };
  }

  finishTool(call: ToolCall, outcome: ToolOutcome): void {
    const status = outcome.failed ? "failed" : "completed";
    this.finish(call.item, status);
    const part: ContentPart = { type: "tool_result", call_id: call.callId, output: outcome.output };
    const content = [part, ...(outcome.parts ?? [])];
    this.finish(this.#start({ item_id: this.session.nextId(), kind: "tool_result", role: "tool", content }), status);
  }

  finish(item: OpenItem, status: "completed" | "failed" = "completed"): void {
    this.#open.delete(item);
    item.finish(status);
  }

  failOpenItems(): void {
    for (const item of this.#open) this.finish(item, "failed");
  }

  async askPermission(use: ToolUse): Promise<PermissionAnswer> {
    const data = this.#aboutUse(use);
    const answer = this.session.permissions.wait(data.permission_id, this.signal);
    this.session.emit([mockDraft("permission.requested", data, data.metadata ?? {})]);
    return await answer;
  }

  /** Nobody is asked: it was allowed for always. */
  tellRemembered(use: ToolUse): void {
    const data = rememberedPermission(this.#aboutUse(use));
    this.session.emit([mockDraft("permission.resolved", data, data.metadata ?? {})]);
  }

  async askQuestion(
    questions: [Question, ...Question[]],
    { callId, item }: ToolCall,
    plan?: string,
  ): Promise<QuestionAnswers> {
    const id = `question-${this.session.nextId()}`;
    const answers = this.session.questions.wait(id, this.signal);
    const data = questionData(id, questions, { plan, callId, itemId: item.id });
    this.session.emit([mockDraft("question.requested", data, { questions: questions.length })]);
    return await answers;
  }

  #aboutUse({ tool, input, diff, call }: ToolUse): PermissionRequestedData {
    const metadata = { tool, input, ...(diff === undefined ? {} : { diff }) };
    const asked = { tool, input, diff, metadata, callId: call.callId, itemId: call.item.id };
    return permissionData(`permission-${this.session.nextId()}`, asked, this.session.callSetting);
  }

  /** Let everything else in the process run. */
  async breathe(): Promise<void> {
    await setImmediate();
    this.signal.throwIfAborted();
  }

  async sleep(ms: number): Promise<void> {
    await setTimeout(ms, undefined, { signal: this.signal });
  }

  #start(start: ItemStart): OpenItem {
    const item = new OpenItem(this.session.emit, start);
    this.#open.add(item);
    return item;
  }
}
