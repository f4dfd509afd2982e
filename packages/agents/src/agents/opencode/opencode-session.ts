import { setTimeout as sleep } from "node:timers/promises";
import { type ErrorData, type EventDraft, type PermissionReply, SandboxError } from "@sandbox-agent-ts/protocol";
import type { AgentSession, OpenOptions, PromptInput, TurnOutcome } from "../../agent.ts";
import { sessionImages } from "../../files/session-folders.ts";
import { saveImages } from "../../images/save-images.ts";
import { ignoredSettings } from "../../notices/ignored-settings.ts";
import { lostConversation } from "../../notices/lost-conversation.ts";
import { callSetting } from "../../permissions/permission-data.ts";
import { isReallyInside } from "../../permissions/really-inside.ts";
import { processClock } from "../../process/session-processes.ts";
import { afterPlan, approvesPlan, planFeedback, planModeLeft } from "../../questions/plan-question.ts";
import { RetryPatience } from "../../retries/retry-patience.ts";
import type { ServerPlace } from "../../shared-server/shared-servers.ts";
import type { LoadedConversation } from "./conversation.ts";
import { ConversationLink } from "./conversation-link.ts";
import { failedMcpServer } from "./convert/failed-mcp-server.ts";
import {
  afterLoss,
  allowForGood,
  beginTurn,
  createOpencodeState,
  endTurn,
  giveUp,
  type OpencodeState,
  type OpenRequest,
  type TurnEnd,
} from "./convert/opencode-state.ts";
import { convertEvents } from "./convert.ts";
import type { OpencodeEvent } from "./dialect.ts";
import { isPlanning } from "./modes.ts";
import type { OpencodeServer, SessionListener } from "./server/opencode-server.ts";
import { memoryOf, readMemory } from "./session-memory.ts";

/** How long a turn may take to end when the session is closed. */
const CLOSE_TURN_MS = 2_000;
/** After an error OpenCode becomes idle at once, or never says so. */
const SETTLE_MS = 1_000;

const howToTrust = "To have them, use the permission mode bypass.";

interface SessionPlace {
  readonly place: ServerPlace<OpencodeServer>;
  /** Settings files of the directory that the server does not read. */
  readonly ignored: readonly string[];
}

interface RunningPrompt {
  /** A person wants it to stop. */
  stopping: boolean;
  /** There is a server that works on it; one that was lost before is replaced. */
  loaded: boolean;
  end(end: TurnEnd): void;
  fail(error: SandboxError): void;
}

/** A conversation on a server, loaded for the first prompt and loaded anew when the server was lost. */
export class OpencodeSession implements AgentSession, SessionListener {
  readonly #options: OpenOptions;
  readonly #link: ConversationLink;
  readonly #release: () => Promise<void>;
  readonly #patience: RetryPatience;
  #state: OpencodeState;
  /** To be told in the first turn. */
  #ignored: readonly string[];
  #prompt: RunningPrompt | undefined;
  #closing: Promise<void> | undefined;
  /** Told when the conversation became idle. */
  #whenIdle: () => void = () => {};

  constructor(options: OpenOptions, { place, ignored }: SessionPlace, release: () => Promise<void>) {
    const { session, host, itemPrefix, nativeSessionId, memory } = options;
    const { allowed } = readMemory(memory);
    const opened = (live: LoadedConversation, known: string | undefined) => this.#opened(live, known);
    this.#options = options;
    const isDistrusted = ignored.length > 0;
    this.#link = new ConversationLink({ host, place, isDistrusted, listener: this, opened }, session);
    this.#ignored = ignored;
    this.#release = release;
    this.#patience = new RetryPatience(host.env, () => this.#giveUp());
    const setting = {
      ...callSetting(options),
      itemPrefix,
      imagesDir: sessionImages(host.dataDir, session.sessionId),
      isInside: (path: string) => isReallyInside(session.directory, path),
    };
    this.#state = { ...createOpencodeState(setting), sessionId: nativeSessionId, allowed };
  }

  /** Everything that can be found wrong before the first prompt. */
  check(): Promise<void> {
    return this.#link.check();
  }

  async prompt(input: PromptInput): Promise<TurnOutcome> {
    if (this.#closing) throw this.#closedError();
    const since = processClock();
    try {
      const outcome = await new Promise<TurnOutcome>((resolve, reject) => {
        const prompt: RunningPrompt = {
          stopping: false,
          loaded: false,
          end: (end) => resolve(prompt.stopping ? { ...end, reason: "interrupted" } : end),
          fail: reject,
        };
        this.#prompt = prompt;
        this.#begin(input, prompt).catch((error: unknown) =>
          prompt.stopping ? resolve({ reason: "interrupted" }) : reject(error),
        );
      });
      if (outcome.reason === "interrupted") await this.#link.endLeftovers(since);
      return outcome;
    } finally {
      this.#prompt = undefined;
      this.#patience.end();
    }
  }

  async interrupt(): Promise<void> {
    if (!this.#prompt) return;
    this.#prompt.stopping = true;
    await this.#abort().catch(async (err: unknown) => {
      this.#unheard(err);
      // One that is stopped or hangs hears nothing; with its end the turn is over too.
      await this.#link.endServerIfSilent();
    });
  }

  async answerPermission(permissionId: string, reply: PermissionReply, reason?: string): Promise<void> {
    const request = this.#takeRequest(permissionId);
    if (request?.type !== "permission") return;
    if (reply === "always") {
      this.#state = allowForGood(this.#state, request.keys);
      this.#remember();
    }
    // OpenCode's own `always` would hold for every session in the directory.
    const answer = reply === "reject" ? { reply, ...(reason ? { message: reason } : {}) } : { reply: "once" };
    await this.#link.answer(`/permission/${request.nativeId}/reply`, answer);
  }

  async answerQuestion(questionId: string, answers: readonly (readonly string[])[] | null): Promise<void> {
    const request = this.#takeRequest(questionId);
    if (request?.type !== "question") return;
    const { approval, nativeId } = request;
    if (answers === null || (approval !== undefined && !approvesPlan(answers))) {
      const feedback = approval === undefined ? undefined : planFeedback(answers);
      if (feedback !== undefined) await this.#link.say([{ type: "text", text: feedback }]);
      await this.#link.answer(`/question/${nativeId}/reject`);
      return;
    }
    if (approval !== undefined) await this.#leavePlanMode();
    const words = approval === undefined ? answers : [[approval]];
    await this.#link.answer(`/question/${nativeId}/reply`, { answers: words });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  takeEvents(events: readonly OpencodeEvent[]): void {
    const { state, drafts, images, answers, ended } = convertEvents(this.#state, events);
    for (const command of events.flatMap(commandOf)) this.#link.noteCommand(command);
    const hasNewError = errorOf(state) !== errorOf(this.#state);
    this.#state = state;
    this.#patience.watch(this.#prompt !== undefined && state.turn.trouble !== undefined);
    if (!this.#closing) saveImages(images);
    this.#emit(drafts);
    for (const { nativeId, ...answer } of answers)
      this.#tell(this.#link.answer(`/permission/${nativeId}/reply`, answer));
    if (ended) this.#endTurn(ended);
    else this.#watchEnd(events, hasNewError);
  }

  lost(error: SandboxError): void {
    this.#link.forget();
    this.#state = afterLoss(this.#state);
    if (!this.#prompt?.loaded) return;
    if (this.#prompt.stopping) this.#prompt.end({ reason: "interrupted" });
    else this.#prompt.fail(error);
  }

  async #begin(input: PromptInput, prompt: RunningPrompt): Promise<void> {
    await this.#link.load(this.#state.sessionId);
    prompt.loaded = true;
    await this.#sayRules();
    if (prompt.stopping || this.#closing) {
      prompt.end({ reason: "interrupted" });
      return;
    }
    this.#state = beginTurn(this.#state);
    this.#tellIgnored(input);
    await this.#link.prompt(input);
  }

  #opened({ sessionId, isReplacement, mcp }: LoadedConversation, known: string | undefined): void {
    this.#state = { ...this.#state, sessionId };
    if (sessionId !== known) this.#options.setNativeSessionId(sessionId);
    const { itemPrefix } = this.#options;
    if (isReplacement && known) this.#emit(lostConversation("OpenCode", `${itemPrefix}lost-${known}`, known));
    void mcp.known.then((names) => this.#learnServers(names));
    for (const [name, why] of mcp.failures) this.#emit(failedMcpServer(`${itemPrefix}mcp-${name}`, name, why));
  }

  #tellIgnored({ turnId }: PromptInput): void {
    if (this.#ignored.length === 0) return;
    const asked = this.#ignored.map((path) => `what is in ${path}`);
    this.#emit(ignoredSettings(`${this.#options.itemPrefix}ignored-${turnId}`, asked, howToTrust));
    this.#ignored = [];
  }

  /** Requests are about a tool of one of these where its name begins with theirs. */
  #learnServers(names: readonly string[]): void {
    const { setting } = this.#state;
    const mcpServers = [...new Set([...setting.mcpServers, ...names])];
    this.#state = { ...this.#state, setting: { ...setting, mcpServers } };
  }

  async #sayRules(): Promise<void> {
    const rules = await this.#link.sayRules();
    this.#state = { ...this.#state, rules, isPlanning: isPlanning(this.#link.session) };
  }

  /** OpenCode itself goes over to its agent `build`. */
  async #leavePlanMode(): Promise<void> {
    const { session } = this.#link;
    this.#link.session = { ...session, agentMode: "build", permissionMode: afterPlan(session).permission_mode };
    await this.#sayRules();
    this.#emit([planModeLeft(session)]);
  }

  #remember(): void {
    this.#options.remember(memoryOf({ allowed: this.#state.allowed }));
  }

  #endTurn(end: TurnEnd): void {
    this.#prompt?.end(end);
    this.#whenIdle();
  }

  /** What is asked would stay asked. */
  async #abort(): Promise<void> {
    const asked = [...this.#state.requests.values()];
    this.#state = { ...this.#state, requests: new Map() };
    await this.#link.abort();
    const forgotten = asked.map(({ type, nativeId }) =>
      type === "permission"
        ? this.#link.answer(`/permission/${nativeId}/reply`, { reply: "reject" })
        : this.#link.answer(`/question/${nativeId}/reject`),
    );
    await Promise.allSettled(forgotten);
  }

  #giveUp(): void {
    this.#state = giveUp(this.#state);
    this.#tell(this.#abort());
  }

  /** An error may be all that is said of the end; and who is told to stop may not have heard, or had not begun. */
  #watchEnd(events: readonly OpencodeEvent[], hasNewError: boolean): void {
    const isStopping = this.#closing !== undefined || this.#prompt?.stopping;
    if (isStopping && events.some(isBusy)) this.#tell(this.#abort());
    if (hasNewError || (isStopping && events.some(({ type }) => type === "session.idle"))) this.#tell(this.#settle());
  }

  async #settle(): Promise<void> {
    const prompt = this.#prompt;
    await sleep(SETTLE_MS, undefined, { ref: false });
    if (!prompt || prompt !== this.#prompt || (await this.#link.isBusy())) return;
    const { error, earlyError } = this.#state.turn;
    if (!error && earlyError) this.#emit([{ type: "error", data: earlyError, source: "agent", synthetic: false }]);
    const message = errorOf(this.#state)?.message;
    this.#state = endTurn(this.#state);
    prompt.end(message === undefined ? { reason: "completed" } : { reason: "error", message });
  }

  async #close(): Promise<void> {
    const isRunning = this.#prompt !== undefined;
    this.#prompt?.fail(this.#closedError());
    try {
      await this.#link.close(async () => {
        if (isRunning) await this.#stopTurn();
      });
    } finally {
      await this.#release();
    }
  }

  async #stopTurn(): Promise<void> {
    const idle = new Promise<void>((resolve) => {
      this.#whenIdle = resolve;
    });
    await this.#abort().catch((err: unknown) => this.#unheard(err));
    await Promise.race([idle, sleep(CLOSE_TURN_MS, undefined, { ref: false })]);
  }

  #takeRequest(id: string): OpenRequest | undefined {
    const requests = new Map(this.#state.requests);
    const request = requests.get(id);
    requests.delete(id);
    this.#state = { ...this.#state, requests };
    return request;
  }

  #emit(drafts: readonly EventDraft[]): void {
    if (!this.#closing && drafts.length > 0) this.#options.emit(drafts);
  }

  /** What is said to a server that may just be gone; its end is told elsewhere. */
  #tell(saying: Promise<void>): void {
    saying.catch((err: unknown) => this.#unheard(err));
  }

  #unheard(err: unknown): void {
    this.#options.host.log.debug({ err }, "the OpenCode server did not hear");
  }

  #closedError(): SandboxError {
    const context = { agent: "opencode", sessionId: this.#options.session.sessionId };
    return new SandboxError("session_ended", "The OpenCode session was closed. Open it again.", context);
  }
}

function errorOf({ turn }: OpencodeState): ErrorData | undefined {
  return turn.error ?? turn.earlyError;
}

function commandOf({ properties: { part } }: OpencodeEvent): string[] {
  const command = part?.tool === "bash" ? part.state?.input?.command : undefined;
  return typeof command === "string" ? [command] : [];
}

function isBusy({ type, properties }: OpencodeEvent): boolean {
  return type === "session.status" && properties.status?.type === "busy";
}
