import type {
  EventDraft,
  EventOf,
  EventType,
  FileAttachment,
  PermissionMode,
  PermissionReply,
  RequestResolver,
  SessionChanges,
  UniversalEvent,
} from "@sandbox-agent-ts/protocol";
import type { AgentAdapter, AgentSession, SessionConfig, TurnOutcome } from "../agent.ts";
import {
  closingDrafts,
  daemonDraft,
  permissionResolved,
  questionResolved,
  sessionEnd,
  userMessage,
} from "./daemon-drafts.ts";
import { HarnessLog } from "./harness-log.ts";
import { type HarnessWorld, makeWorld, type Surroundings } from "./harness-world.ts";
import { seamBreach } from "./seam-rules.ts";

export interface HarnessTurn {
  readonly outcome: TurnOutcome;
  /** From its `turn.started` on. */
  readonly events: readonly UniversalEvent[];
}

/** One `open` of the adapter. */
interface Opening {
  readonly itemPrefix: string;
  closed: boolean;
}

/**
 * Drives an adapter through the seam as the daemon does, and nothing more: brackets prompts with turns, writes the user's
 * message and the answers, closes what a turn left open. Keeps what the adapter should not have emitted in `breaches`.
 */
export class AgentHarness {
  readonly breaches: string[] = [];
  readonly #adapter: AgentAdapter;
  readonly #world: HarnessWorld;
  readonly #log: HarnessLog;
  /** The settings that hold, also those that the agent changed. */
  #config: SessionConfig;
  #session!: AgentSession;
  #opening!: Opening;
  #opened = 0;
  /** As a daemon keeps it: as text. */
  #memory: string | undefined;
  #turns = 0;
  #prompting = false;

  private constructor(adapter: AgentAdapter, world: HarnessWorld) {
    this.#adapter = adapter;
    this.#world = world;
    this.#config = world.session;
    this.#log = new HarnessLog(world.session.sessionId);
  }

  static async open(
    adapter: AgentAdapter,
    session: Partial<SessionConfig> = {},
    given: Surroundings = {},
    restored?: readonly UniversalEvent[],
  ): Promise<AgentHarness> {
    const world = await makeWorld({ ...given, session: { ...given.session, ...session } });
    const harness = new AgentHarness(adapter, world);
    harness.#log.append([daemonDraft("session.started", {})]);
    if (restored) await harness.#restore(restored);
    await harness.#open();
    return harness;
  }

  get events(): readonly UniversalEvent[] {
    return this.#log.events;
  }

  /** The session's own. */
  get directory(): string {
    return this.#world.session.directory;
  }

  get permissionMode(): PermissionMode {
    return this.#config.permissionMode;
  }

  get nativeSessionId(): string | null {
    return this.#log.nativeSessionId;
  }

  async prompt(message: string, attachments: readonly FileAttachment[] = []): Promise<HarnessTurn> {
    const turnId = `turn-${++this.#turns}`;
    const from = this.events.length;
    this.#log.append([
      daemonDraft("turn.started", { phase: "started", turn_id: turnId }),
      ...userMessage(`user-${turnId}`, message),
    ]);
    const outcome = await this.#run({ turnId, message, attachments });
    return { outcome, events: this.events.slice(from) };
  }

  /** The next event of this type in the running turn; rejects when the turn ends without one. */
  next<T extends EventType>(type: T): Promise<EventOf<T>> {
    return this.#log.next(type);
  }

  async answerPermission(
    permissionId: string,
    reply: PermissionReply,
    reason?: string,
    by: RequestResolver = "person",
  ): Promise<void> {
    this.#log.append([permissionResolved(this.#log.state.permissions[permissionId]!, reply)]);
    await this.#session.answerPermission(permissionId, reply, reason, by);
  }

  async answerQuestion(questionId: string, answers: readonly (readonly string[])[] | null): Promise<void> {
    this.#log.append([questionResolved(this.#log.state.questions[questionId]!, answers)]);
    await this.#session.answerQuestion(questionId, answers);
  }

  interrupt(): Promise<void> {
    return this.#session.interrupt();
  }

  async close(): Promise<void> {
    const opening = this.#opening;
    await this.#session.close();
    opening.closed = true;
  }

  /** Go on with the same conversation, as after a restart of the daemon or a change of settings; the model `null` is the agent's own. */
  async reopen({
    model,
    ...changes
  }: Partial<Omit<SessionConfig, "model">> & { model?: string | null } = {}): Promise<void> {
    await this.close();
    const { model: before, usesOwnModel, ...config } = this.#config;
    const chosen = model === undefined ? before : model;
    const own = model === null || (model === undefined && usesOwnModel);
    this.#config = { ...config, ...changes, ...(chosen ? { model: chosen } : own ? { usesOwnModel: true } : {}) };
    await this.#open();
  }

  async dispose(): Promise<void> {
    await this.close();
    await this.#world.dispose();
  }

  async #restore(events: readonly UniversalEvent[]): Promise<void> {
    const options = { host: this.#world.host, session: this.#config, conversation: { events } };
    const restored = await this.#adapter.restore?.(options);
    if (!restored) throw new Error("The adapter cannot restore a conversation.");
    this.#log.nativeSessionId = restored.nativeSessionId;
    if (restored.memory !== undefined) this.#memory = JSON.stringify(restored.memory);
  }

  async #open(): Promise<void> {
    const { host } = this.#world;
    const opening: Opening = { itemPrefix: `open${++this.#opened}-`, closed: false };
    this.#opening = opening;
    this.#session = await this.#adapter.open({
      host,
      session: this.#config,
      itemPrefix: opening.itemPrefix,
      ...(this.nativeSessionId === null ? {} : { nativeSessionId: this.nativeSessionId }),
      emit: (drafts) => this.#emit(drafts, opening),
      setNativeSessionId: (id) => {
        this.#log.nativeSessionId = id;
      },
      ...(this.#memory === undefined ? {} : { memory: JSON.parse(this.#memory) as unknown }),
      remember: (value) => {
        this.#memory = JSON.stringify(value);
      },
    });
  }

  async #run(input: Parameters<AgentSession["prompt"]>[0]): Promise<TurnOutcome> {
    let outcome: TurnOutcome = { reason: "error" };
    this.#prompting = true;
    try {
      outcome = await this.#session.prompt(input);
    } finally {
      this.#prompting = false;
      this.#endTurn(input.turnId, outcome);
    }
    if (outcome.sessionEnded) await this.close();
    return outcome;
  }

  #endTurn(turnId: string, { sessionEnded, ...metadata }: TurnOutcome): void {
    this.#log.append([
      ...closingDrafts(this.#log.state),
      daemonDraft("turn.ended", { phase: "ended", turn_id: turnId, metadata }),
      ...(sessionEnded ? [sessionEnd(sessionEnded)] : []),
    ]);
  }

  #emit(drafts: readonly EventDraft[], opening: Opening): void {
    for (const draft of drafts) {
      const breach = seamBreach(draft, { ...opening, prompting: this.#prompting, state: this.#log.state });
      if (breach) this.breaches.push(breach);
      this.#log.append([draft]);
      if (draft.type === "session.updated") this.#adopt(draft.data.changes);
    }
  }

  #adopt({ agent_mode, permission_mode }: SessionChanges): void {
    this.#config = {
      ...this.#config,
      ...(agent_mode === undefined ? {} : { agentMode: agent_mode }),
      ...(permission_mode === undefined ? {} : { permissionMode: permission_mode }),
    };
  }
}
