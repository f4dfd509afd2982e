import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type EventDraft, type PermissionReply, SandboxError } from "@sandbox-agent/protocol";
import type { AgentSession, OpenOptions, PromptInput, SessionConfig, TurnOutcome } from "../../agent.ts";
import { RetryPatience } from "../../retries/retry-patience.ts";
import { prepareSkills, type Skill } from "../../skills/prepare-skills.ts";
import { sessionInstructions } from "../../skills/session-instructions.ts";
import {
  conversationRules,
  findAgents,
  type LoadedConversation,
  loadConversation,
  lostConversation,
} from "./conversation.ts";
import { failedMcpServer } from "./convert/failed-mcp-server.ts";
import {
  afterLoss,
  allowForGood,
  beginTurn,
  createOpencodeState,
  giveUp,
  type OpencodeState,
  type OpenRequest,
  type TurnEnd,
} from "./convert/opencode-state.ts";
import { convertEvents } from "./convert.ts";
import type { OpencodeEvent, PermissionRule } from "./dialect.ts";
import { afterPlan, agentName } from "./modes.ts";
import { promptParts } from "./prompt-parts.ts";
import { saveImages } from "./save-images.ts";
import type { SessionListener } from "./server/opencode-server.ts";
import type { ServerPlace } from "./server/server-places.ts";
import { memoryOf, readMemory } from "./session-memory.ts";

const ABORT_TIMEOUT_MS = 5_000;
/** How long a turn may take to end when the session is closed. */
const CLOSE_TURN_MS = 2_000;
/** After an error OpenCode becomes idle at once, or never says so. */
const SETTLE_MS = 1_000;

interface RunningPrompt {
  /** A person wants it to stop. */
  stopping: boolean;
  end(end: TurnEnd): void;
  fail(error: SandboxError): void;
}

/** A conversation on a server, loaded for the first prompt and loaded anew when the server was lost. */
export class OpencodeSession implements AgentSession, SessionListener {
  readonly #options: OpenOptions;
  readonly #place: ServerPlace;
  readonly #release: () => Promise<void>;
  readonly #patience: RetryPatience;
  #session: SessionConfig;
  #state: OpencodeState;
  #instructions: string | undefined;
  #skills: readonly Skill[] = [];
  #conversation: LoadedConversation | undefined;
  #loading: Promise<LoadedConversation> | undefined;
  /** The rules that the conversation has, to say them again only when they change. */
  #rules = "";
  #prompt: RunningPrompt | undefined;
  #closing: Promise<void> | undefined;
  /** Told when the conversation became idle. */
  #whenIdle: () => void = () => {};

  constructor(options: OpenOptions, place: ServerPlace, release: () => Promise<void>) {
    const { session, host, itemPrefix, nativeSessionId } = options;
    this.#options = options;
    const { allowed, planApproved } = readMemory(options.memory);
    this.#session = planApproved ? afterPlan(session) : session;
    this.#place = place;
    this.#release = release;
    this.#patience = new RetryPatience(host.env, () => this.#giveUp());
    const setting = { itemPrefix, directory: session.directory, imagesDir: join(host.dataDir, "images") };
    this.#state = { ...createOpencodeState(setting), sessionId: nativeSessionId, allowed };
  }

  /** Everything that can be found wrong before the first prompt. */
  async check(): Promise<void> {
    const { host, session } = this.#options;
    this.#skills = await prepareSkills(host, session);
    this.#instructions = await sessionInstructions(host, session);
    await findAgents(await this.#place.get(), this.#session);
  }

  async prompt(input: PromptInput): Promise<TurnOutcome> {
    if (this.#closing) throw this.#closedError();
    try {
      return await new Promise((resolve, reject) => {
        const prompt: RunningPrompt = {
          stopping: false,
          end: (end) => resolve(prompt.stopping ? { ...end, reason: "interrupted" } : end),
          fail: reject,
        };
        this.#prompt = prompt;
        this.#begin(input, prompt).catch(reject);
      });
    } finally {
      this.#prompt = undefined;
      this.#patience.end();
    }
  }

  async interrupt(): Promise<void> {
    if (!this.#prompt) return;
    this.#prompt.stopping = true;
    await this.#abort();
  }

  async answerPermission(permissionId: string, reply: PermissionReply): Promise<void> {
    const request = this.#takeRequest(permissionId);
    if (request?.type !== "permission") return;
    if (reply === "always") this.#state = allowForGood(this.#state, request.keys);
    if (reply === "always") this.#remember();
    // OpenCode's own `always` would hold for every session in the directory.
    await this.#answer(`/permission/${request.nativeId}/reply`, { reply: reply === "reject" ? "reject" : "once" });
  }

  async answerQuestion(questionId: string, answers: readonly (readonly string[])[] | null): Promise<void> {
    const request = this.#takeRequest(questionId);
    if (request?.type !== "question") return;
    const isRejected = answers === null || (request.isPlan && answers[0]?.[0] !== request.data.options[0]);
    if (isRejected) return this.#answer(`/question/${request.nativeId}/reject`);
    if (request.isPlan) await this.#leavePlanMode();
    await this.#answer(`/question/${request.nativeId}/reply`, { answers });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  takeEvents(events: readonly OpencodeEvent[]): void {
    const { state, drafts, images, answers, ended } = convertEvents(this.#state, events);
    const hasNewError = state.turn.error !== this.#state.turn.error;
    this.#state = state;
    this.#patience.watch(this.#prompt !== undefined && state.turn.trouble !== undefined);
    if (!this.#closing) saveImages(images);
    this.#emit(drafts);
    for (const { nativeId, reply } of answers) this.#tell(this.#answer(`/permission/${nativeId}/reply`, { reply }));
    if (ended) this.#endTurn(ended);
    else if (hasNewError) this.#tell(this.#settle());
    else if ((this.#closing || this.#prompt?.stopping) && events.some(isBusy)) this.#tell(this.#abort());
  }

  lost(error: SandboxError): void {
    this.#conversation = undefined;
    this.#rules = "";
    this.#state = afterLoss(this.#state);
    this.#prompt?.fail(error);
  }

  async #begin(input: PromptInput, prompt: RunningPrompt): Promise<void> {
    const { server, sessionId, model } = await this.#load();
    await this.#sayRules();
    if (prompt.stopping || this.#closing) return prompt.end({ reason: "interrupted" });
    const { directory, variant } = this.#session;
    const body = {
      parts: promptParts(input, directory),
      agent: agentName(this.#session),
      ...(model ? { model } : {}),
      ...(variant === undefined ? {} : { variant }),
      ...(this.#instructions === undefined ? {} : { system: this.#instructions }),
    };
    this.#state = beginTurn(this.#state);
    await server.request("POST", `/session/${sessionId}/prompt_async`, { directory, body });
  }

  #endTurn(end: TurnEnd): void {
    this.#prompt?.end(end);
    this.#whenIdle();
  }

  async #load(): Promise<LoadedConversation> {
    if (this.#conversation) return this.#conversation;
    this.#loading ??= this.#loadConversation().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #loadConversation(): Promise<LoadedConversation> {
    const { setNativeSessionId } = this.#options;
    const known = this.#state.sessionId;
    const server = await this.#place.get();
    const conversation = await loadConversation(server, known, this.#session, this.#place.launch.env);
    const { sessionId, isReplacement, mcp } = conversation;
    this.#conversation = conversation;
    this.#state = { ...this.#state, sessionId };
    server.attach(sessionId, this);
    if (sessionId !== known) setNativeSessionId(sessionId);
    if (isReplacement) this.#emit([lostConversation(known)]);
    for (const failure of mcp.failures) {
      const itemId = `${this.#state.setting.itemPrefix}mcp-${failure[0]}`;
      this.#emit(failedMcpServer(itemId, ...failure));
    }
    return conversation;
  }

  async #sayRules(): Promise<void> {
    if (!this.#conversation) return;
    const { server, sessionId } = this.#conversation;
    const rules = conversationRules(this.#conversation, this.#session, this.#skills);
    const said = JSON.stringify(rules);
    if (said === this.#rules) return;
    const body = { permission: rules satisfies PermissionRule[] };
    await server.request("PATCH", `/session/${sessionId}`, { directory: this.#session.directory, body });
    this.#rules = said;
    this.#state = { ...this.#state, rules };
  }

  /** OpenCode itself goes over to its agent `build`. */
  async #leavePlanMode(): Promise<void> {
    this.#session = afterPlan(this.#session);
    this.#remember();
    await this.#sayRules();
  }

  #remember(): void {
    const planApproved = this.#session !== this.#options.session;
    this.#options.remember(memoryOf({ allowed: this.#state.allowed, planApproved }));
  }

  async #abort(): Promise<void> {
    const conversation = this.#conversation;
    if (!conversation) return;
    const { server, sessionId } = conversation;
    const options = { directory: this.#session.directory, timeoutMs: ABORT_TIMEOUT_MS };
    // What is asked stays asked otherwise.
    const open = [...this.#state.requests.values()];
    this.#state = { ...this.#state, requests: new Map() };
    await server.request("POST", `/session/${sessionId}/abort`, options);
    await Promise.all(open.map((request) => this.#forget(request)));
  }

  async #forget({ type, nativeId }: OpenRequest): Promise<void> {
    const path = type === "permission" ? `/permission/${nativeId}/reply` : `/question/${nativeId}/reject`;
    await this.#answer(path, type === "permission" ? { reply: "reject" } : undefined).catch(() => undefined);
  }

  #giveUp(): void {
    this.#state = giveUp(this.#state);
    this.#tell(this.#abort());
  }

  /** An error after which OpenCode does not say that it is idle. */
  async #settle(): Promise<void> {
    const prompt = this.#prompt;
    const { turn } = this.#state;
    await sleep(SETTLE_MS, undefined, { ref: false });
    const conversation = this.#conversation;
    if (!prompt || prompt !== this.#prompt || !conversation || turn.error === undefined) return;
    const { server, sessionId } = conversation;
    const { directory } = this.#session;
    const busy = await server.request<Record<string, unknown>>("GET", "/session/status", { directory });
    if (!Object.hasOwn(busy, sessionId)) prompt.end({ reason: "error", message: turn.error.message });
  }

  async #close(): Promise<void> {
    const running = this.#prompt !== undefined;
    this.#prompt?.fail(this.#closedError());
    const conversation = this.#conversation ?? (await this.#loading?.catch(() => undefined));
    try {
      if (conversation) await this.#letGo(conversation, running);
    } finally {
      conversation?.server.detach(this);
      await this.#release();
    }
  }

  async #letGo({ mcp }: LoadedConversation, running: boolean): Promise<void> {
    if (running) {
      const idle = new Promise<void>((resolve) => {
        this.#whenIdle = resolve;
      });
      await this.#abort().catch((err: unknown) => this.#options.host.log.debug({ err }, "aborting failed"));
      await Promise.race([idle, sleep(CLOSE_TURN_MS, undefined, { ref: false })]);
    }
    await mcp.release();
  }

  async #answer(path: string, body?: object): Promise<void> {
    const options = { directory: this.#session.directory, ...(body ? { body } : {}) };
    await this.#conversation?.server.request("POST", path, options);
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
    saying.catch((err: unknown) => this.#options.host.log.debug({ err }, "the OpenCode server did not hear"));
  }

  #closedError(): SandboxError {
    const context = { agent: "opencode", sessionId: this.#session.sessionId };
    return new SandboxError("session_ended", "The OpenCode session was closed. Open it again.", context);
  }
}

function isBusy({ type, properties }: OpencodeEvent): boolean {
  return type === "session.status" && properties.status?.type === "busy";
}
