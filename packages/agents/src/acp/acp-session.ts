import {
  type AgentModelsResponse,
  type ErrorData,
  type EventDraft,
  type PermissionReply,
  type RequestResolver,
  SandboxError,
} from "@sandbox-agent-ts/protocol";
import type { AgentSession, OpenOptions, PromptInput, TurnOutcome } from "../agent.ts";
import { sessionImages } from "../files/session-folders.ts";
import { saveImages } from "../images/save-images.ts";
import type { JsonRpcCall, JsonRpcId } from "../json-rpc/json-rpc-message.ts";
import { ignoredSettings } from "../notices/ignored-settings.ts";
import { leftOut } from "../notices/left-out.ts";
import { lostConversation } from "../notices/lost-conversation.ts";
import { statusNotice } from "../notices/status-notice.ts";
import { callSetting } from "../permissions/permission-data.ts";
import { processClock } from "../process/session-processes.ts";
import { planModeLeft } from "../questions/plan-question.ts";
import type { AcpAgent, AcpPlace } from "./acp-agent.ts";
import type { AcpConnection } from "./acp-connection.ts";
import { AcpLink, type LiveConversation } from "./acp-link.ts";
import { ClientMethods } from "./client/client-methods.ts";
import { Terminals } from "./client/terminals.ts";
import { CompletedCalls } from "./completed-calls.ts";
import type { OpenedConversation } from "./conversation.ts";
import {
  type AcpState,
  afterLoss,
  beginConversation,
  beginTurn,
  createAcpState,
  giveUp,
  hear,
} from "./convert/acp-state.ts";
import {
  type Answered,
  answerOutsideTurn,
  answerPermission,
  answerQuestion,
  cancelRequests,
} from "./convert/answers.ts";
import type { Converted } from "./convert/conversion.ts";
import { convertCalls, convertRetry } from "./convert/convert-calls.ts";
import { endTurn, type PromptEnd } from "./convert/end-turn.ts";
import { withTokensOf } from "./convert/turn-usage.ts";
import { HeldCalls } from "./held-calls.ts";
import { instructionArgs } from "./launch.ts";
import { promptBlocks } from "./prompt-blocks.ts";
import { sendPrompt } from "./send-prompt.ts";
import { firstModes, memoryOf, modesOf, recall } from "./session-memory.ts";
import { firstInstructions, wantedModel } from "./session-settings.ts";
import { TurnWatch } from "./turn-watch.ts";

export interface AcpSessionOptions extends OpenOptions {
  readonly agent: AcpAgent;
  readonly place: AcpPlace;
  /** What the session tells its agent besides the messages. */
  readonly instructions: string | undefined;
  /** After this time without a prompt the process is ended; the next prompt gets a new one. */
  readonly idleMs: number;
  /** The models that the agent has by itself. */
  models(): Promise<AgentModelsResponse>;
}

interface RunningPrompt {
  /** A person wants it to stop. */
  stopping: boolean;
  /** The agent has it. */
  sent: boolean;
  fail(error: SandboxError): void;
}

type RpcAnswer = { readonly id: JsonRpcId; readonly result: unknown };

/** A conversation with a process of its own. Messages become events in `convertCalls`; here is only what has an effect. */
export class AcpSession implements AgentSession {
  readonly #options: AcpSessionOptions;
  readonly #link: AcpLink;
  readonly #terminals: Terminals;
  readonly #methods: ClientMethods;
  readonly #held = new HeldCalls();
  readonly #watch: TurnWatch;
  readonly #calls: CompletedCalls;
  #state: AcpState;
  /** The conversation has not heard the instructions. */
  #untold = false;
  #prompt: RunningPrompt | undefined;
  #parking: NodeJS.Timeout | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: AcpSessionOptions) {
    const { agent, place, host, session, itemPrefix } = options;
    const { directory } = session;
    this.#options = options;
    this.#watch = new TurnWatch(agent, host.env, {
      met: (what) => this.#apply(convertRetry(this.#state, what)),
      giveUp: (why) => this.#giveUp(why),
      goesOn: () => {
        this.#link.drop();
        this.#tell(this.#terminals.close());
      },
    });
    this.#terminals = new Terminals({ host, directory, env: place.env, label: `${agent.id} of ${session.sessionId}` });
    this.#methods = new ClientMethods(this.#terminals, () => this.#state.setting.permissionMode === "plan");
    const { displayName: agentName, program, permissionModes, quirks = {} } = agent;
    const imageDir = sessionImages(host.dataDir, session.sessionId);
    const modes = firstModes(session);
    const ofAgent = { agentName, program, permissionModes, quirks };
    const asksEverything = session.asksEverything === true;
    const setting = { ...callSetting(options), itemPrefix, imageDir, asksEverything, ...ofAgent, ...modes };
    this.#state = recall(createAcpState(setting), options.memory);
    const linkOptions = {
      agent,
      place,
      instructions: options.instructions,
      takeCalls: (calls: readonly JsonRpcCall[], connection: AcpConnection) => this.#takeCalls(calls, connection),
      leftOut: (line: { bytes: number; head: string }) => this.#emit([leftOut(agent.displayName, line)]),
      modes: () => modesOf(this.#state.setting),
      wanted: async () => ({ ...session, ...modesOf(this.#state.setting), ...(await wantedModel(this.#options)) }),
      setsMode: (modeId: string) => {
        this.#state = { ...this.#state, modeId };
      },
      opened: (conversation: OpenedConversation, known: string | undefined) => this.#opened(conversation, known),
      lost: (error: SandboxError) => this.#lost(error),
    };
    this.#link = new AcpLink(linkOptions, options.nativeSessionId);
    this.#calls = new CompletedCalls({
      complete: (call) => quirks.complete?.(place, call),
      deliver: (calls) => this.#deliver(calls),
      failed: (err) => host.log.warn({ err }, `what ${agentName} left out could not be had`),
    });
  }

  /** Start the process before there is a prompt: some take seconds until they can take one. */
  prewarm(): void {
    this.#link.connect().catch((err: unknown) => {
      this.#options.host.log.debug({ err }, "an agent could not be started yet; the first prompt tries again");
    });
    this.#parkLater();
  }

  async prompt(input: PromptInput): Promise<TurnOutcome> {
    if (this.#closing) throw this.#closedError();
    clearTimeout(this.#parking);
    try {
      return await new Promise((resolve, reject) => {
        const prompt: RunningPrompt = { stopping: false, sent: false, fail: reject };
        this.#prompt = prompt;
        this.#run(input, prompt).then(resolve, reject);
      });
    } finally {
      this.#prompt = undefined;
      this.#watch.end();
      this.#parkLater();
    }
  }

  async interrupt(): Promise<void> {
    const prompt = this.#prompt;
    if (!prompt || prompt.stopping) return;
    prompt.stopping = true;
    if (prompt.sent) await this.#cancel().catch(() => {});
  }

  async answerPermission(
    permissionId: string,
    reply: PermissionReply,
    reason?: string,
    resolvedBy?: RequestResolver,
  ): Promise<void> {
    const words = resolvedBy === "person" ? reason : undefined;
    this.#decided(answerPermission(this.#state, permissionId, reply, words));
  }

  async answerQuestion(questionId: string, answers: readonly (readonly string[])[] | null): Promise<void> {
    this.#decided(answerQuestion(this.#state, questionId, answers));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    clearTimeout(this.#parking);
    const busy = this.#prompt !== undefined;
    this.#prompt?.fail(this.#closedError());
    await Promise.all([this.#link.close({ politely: !busy }), this.#terminals.close()]);
  }

  async #run(input: PromptInput, prompt: RunningPrompt): Promise<TurnOutcome> {
    const live = await this.#link.connect();
    const refusal = live.refusals.shift();
    if (refusal !== undefined) return this.#refused(refusal);
    const blocks = await this.#blocks(input, live);
    this.#tellIgnoredSettings(live);
    await this.#tellFailedServers(live);
    if (prompt.stopping || this.#closing) return { reason: "interrupted" };
    this.#state = beginTurn(this.#state);
    prompt.sent = true;
    this.#untold = false;
    this.#apply(convertCalls(this.#state, this.#held.release()));
    this.#watch.begin(this.#state, live.connection.logWriter(live.nativeId));
    const { agent, place } = this.#options;
    const begunAt = Date.now();
    const begun = processClock();
    const end = await this.#send(live, blocks, prompt);
    await this.#tellFailedServers(live);
    if ("result" in end && !prompt.stopping) await agent.quirks?.written?.(place, live.nativeId, begunAt);
    if (prompt.stopping) await live.connection.endDetached(begun);
    const { state, drafts, answers, outcome } = endTurn(this.#state, end, prompt.stopping);
    this.#answer(answers);
    this.#state = this.#link.live === live ? state : afterLoss(state);
    prompt.sent = false;
    this.#held.begin({ drop: outcome.reason === "interrupted" });
    this.#terminals.forgetReleased();
    this.#emit(drafts);
    return outcome;
  }

  /** The protocol takes no words with a refusal: they follow as a message of the same turn, when the agent has taken it. */
  async #send(live: LiveConversation, blocks: object[], prompt: RunningPrompt): Promise<PromptEnd> {
    const isGivenUp = () => this.#state.turn.givenUp !== undefined;
    const send = async (content: object[]) => {
      const ended = await sendPrompt(live, content, isGivenUp);
      await this.#calls.settled();
      return ended;
    };
    let end = await send(blocks);
    while ("result" in end && this.#state.turn.unheard.length > 0 && !prompt.stopping && !isGivenUp()) {
      const text = this.#state.turn.unheard.join("\n\n");
      this.#state = hear(this.#state);
      const next = await send([{ type: "text", text }]);
      end = "error" in next ? next : { result: withTokensOf(end.result, next.result) };
    }
    return end;
  }

  async #cancel(): Promise<void> {
    this.#cancelRequests();
    const { live } = this.#link;
    await live?.connection.notify("session/cancel", { sessionId: live.nativeId });
  }

  async #blocks(input: PromptInput, { connection }: LiveConversation): Promise<object[]> {
    const { session, agent, instructions } = this.#options;
    const { permissionMode } = this.#state.setting;
    const ofSession = instructionArgs(agent, instructions) ? undefined : instructions;
    const told = this.#untold ? firstInstructions(agent, ofSession, permissionMode) : undefined;
    const takes = connection.initialized.agentCapabilities?.promptCapabilities ?? {};
    const { quirks = {} } = agent;
    return promptBlocks(input, { directory: session.directory, takes, instructions: told, quirks });
  }

  #tellIgnoredSettings(live: LiveConversation): void {
    const { ignored } = live;
    live.ignored = undefined;
    if (ignored) this.#emit(ignoredSettings(this.#nextItem(), ignored.asked, ignored.howToTrust));
  }

  async #tellFailedServers({ servers }: LiveConversation): Promise<void> {
    for (const { name, detail } of await servers.failed()) {
      this.#emit(statusNotice(this.#nextItem(), [`MCP server ${name} failed`, detail]));
    }
  }

  #nextItem(): string {
    const itemCount = this.#state.itemCount + 1;
    this.#state = { ...this.#state, itemCount };
    return `${this.#options.itemPrefix}${itemCount}`;
  }

  #refused(message: string): TurnOutcome {
    this.#emit([{ type: "error", data: { message, code: "invalid_setting" }, source: "agent", synthetic: false }]);
    return { reason: "error", message };
  }

  #opened({ nativeId, opened, isNew }: OpenedConversation, known: string | undefined): void {
    const { setNativeSessionId, agent } = this.#options;
    this.#untold = isNew;
    this.#held.begin({ drop: true });
    this.#state = beginConversation(this.#state, opened, isNew);
    if (nativeId !== known && !this.#closing) setNativeSessionId(nativeId);
    if (!isNew || known === undefined) return;
    this.#emit(lostConversation(agent.displayName, this.#nextItem(), known));
  }

  #takeCalls(calls: readonly JsonRpcCall[], connection: AcpConnection): void {
    if (this.#closing) return;
    this.#calls.take(calls.filter((call) => !this.#serve(call, connection)));
  }

  #deliver(told: readonly JsonRpcCall[]): void {
    if (this.#closing) return;
    const now = this.#prompt?.sent ? told : this.#held.hold(told);
    this.#apply(convertCalls(this.#state, now, this.#terminals.outputs()));
    if (this.#prompt?.stopping) this.#cancelRequests();
  }

  /** True when it was something to be done, and is none of the conversation's business. */
  #serve(call: JsonRpcCall, connection: AcpConnection): boolean {
    const { id, method } = call;
    const withoutTurn = answerOutsideTurn(method);
    if (id === undefined || (withoutTurn && this.#prompt?.sent)) return false;
    if (withoutTurn) {
      this.#tell(connection.respond(id, withoutTurn));
      return true;
    }
    void this.#methods.serve(call).then((served) => {
      this.#tell("error" in served ? connection.refuse(id, served.error) : connection.respond(id, served.result));
    });
    return true;
  }

  #apply({ state, drafts, images, answers }: Converted): void {
    this.#state = state;
    this.#watch.look(state);
    saveImages(images);
    this.#emit(drafts);
    this.#answer(answers);
  }

  /** What was settled for the whole session outlives this process. */
  #decided({ state, answers }: Answered): void {
    const before = memoryOf(this.#state);
    const { permissionMode: modeBefore } = this.#state.setting;
    this.#state = state;
    this.#watch.look(state);
    const memory = memoryOf(state);
    if (JSON.stringify(memory) !== JSON.stringify(before)) this.#options.remember(memory);
    const { permissionMode } = state.setting;
    if (permissionMode !== modeBefore) this.#emit([planModeLeft({ ...this.#options.session, permissionMode })]);
    this.#answer(answers);
  }

  /** A turn that is interrupted waits for nobody. */
  #cancelRequests(): void {
    this.#decided(cancelRequests(this.#state));
  }

  #giveUp(why: ErrorData): void {
    this.#state = giveUp(this.#state, why);
    this.#tell(this.#cancel());
  }

  #answer(answers: readonly RpcAnswer[]): void {
    for (const { id, result } of answers) this.#tell(this.#link.live?.connection.respond(id, result));
  }

  /** What is said to an agent that may just be gone; its end is told elsewhere. */
  #tell(saying: Promise<void> | undefined): void {
    saying?.catch((err: unknown) => this.#options.host.log.debug({ err }, "an agent did not hear"));
  }

  #lost(error: SandboxError): void {
    this.#state = afterLoss(this.#state);
    this.#held.begin({ drop: true });
    this.#tell(this.#terminals.close());
    this.#prompt?.fail(error);
  }

  #emit(drafts: readonly EventDraft[]): void {
    if (!this.#closing && drafts.length > 0) this.#options.emit(drafts);
  }

  #parkLater(): void {
    clearTimeout(this.#parking);
    if (this.#closing) return;
    this.#parking = setTimeout(() => {
      if (!this.#prompt && this.#link.park()) this.#state = afterLoss(this.#state);
    }, this.#options.idleMs).unref();
  }

  #closedError(): SandboxError {
    const { agent, session } = this.#options;
    const sentence = `The conversation with ${agent.displayName} was closed. Send the message again to open it anew.`;
    return new SandboxError("session_ended", sentence, { agent: agent.id, sessionId: session.sessionId });
  }
}
