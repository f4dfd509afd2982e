import { createHash, randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import {
  closeOpen,
  type EventDraft,
  type MessageRequest,
  SandboxError,
  startOfTurn,
  type TurnEndedMetadata,
  turnEnded,
} from "@sandbox-agent-ts/protocol";
import { SandboxAgentError } from "@sandbox-agent-ts/sdk";
import type { TurnPlace } from "@sandbox-agent-ts/server";
import { type LogEntry, ownEntry } from "../mirror/encode-event.ts";
import type { AgentSandbox } from "../sandboxes/agent-sandbox.ts";
import type { StoredTurn } from "../store/runtime-store.ts";
import { asSent } from "./as-sent.ts";
import { KeepAlive } from "./keep-alive.ts";
import type { RequestAnswers } from "./request-answers.ts";
import type { RuntimeDeps } from "./runtime-deps.ts";
import type { SessionSandbox } from "./session-sandbox.ts";
import type { SessionWriter } from "./session-writer.ts";

/** How often a message is sent to a sandbox that answers whether it lives, and not to that. */
const maxAttempts = 5;
/** Before a store that did not answer is asked again; doubled with each time. */
const firstPauseMs = 50;
const longestPauseMs = 10_000;

export interface SessionTurnsOptions {
  readonly sessionId: string;
  /** The principal whose quota its turns count for. */
  readonly owner: string;
  readonly deps: RuntimeDeps;
  readonly writer: SessionWriter;
  readonly sandbox: SessionSandbox;
  readonly answers: RequestAnswers;
  /** Done before the next turn begins. Never rejects. */
  readonly afterTurn: () => Promise<void>;
  /** Admitted and not ended when the session was loaded. */
  readonly open: number;
}

/** The messages of one session: kept in order, run in its sandbox one after the other, each ended once and with a reason. */
export class SessionTurns {
  readonly #options: SessionTurnsOptions;
  readonly #ends = new Map<string, () => void>();
  readonly #withdrawals = new Map<string, AbortController>();
  /** While the store was asked what is open. */
  readonly #justEnded = new Set<string>();
  #open: number;
  /** What became of the last sandbox. */
  #lost: string | undefined;
  #loop: Promise<void> | undefined;
  #pauseMs = firstPauseMs;
  readonly #released = new AbortController();
  readonly #keepAlive: KeepAlive | undefined;

  constructor(options: SessionTurnsOptions) {
    const { sessionId, deps, open } = options;
    this.#options = options;
    this.#open = open;
    const { provider, limits, log } = deps;
    if (provider.can.extend) this.#keepAlive = new KeepAlive({ sessionId, lifeMs: limits.sandboxLifeMs, log });
  }

  /** Admitted and not ended, the one that runs among them. */
  get open(): number {
    return this.#open;
  }

  get isRunning(): boolean {
    return this.#loop !== undefined;
  }

  /** Keep a message; its turn runs when those before it have ended. */
  async admit(request: MessageRequest, idempotencyKey?: string): Promise<TurnPlace & { readonly isNew: boolean }> {
    const { sessionId, deps, writer } = this.#options;
    const attachments = request.attachments ?? [];
    const digest = createHash("sha256")
      .update(JSON.stringify([request.message, attachments]))
      .digest("base64");
    const message = {
      sessionId,
      turnId: request.turnId ?? `turn_${randomBytes(9).toString("base64url")}`,
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      ...(request.messageId ? { messageId: request.messageId } : {}),
      digest,
      message: request.message,
      attachments,
      admittedAt: Date.now(),
      after: writer.head,
    };
    const quota = deps.quotas.of(this.#options.owner);
    const { turn, isNew } = await deps.store.admitTurn(message, deps.limits.maxOpenTurns, quota);
    if (!isNew && turn.digest !== digest) throw keyUsed(turn.turnId, idempotencyKey);
    if (isNew) this.#open += 1;
    return { turnId: turn.turnId, after: turn.after, withdrawn: this.#withdrawalOf(turn), isNew };
  }

  /** Who waits for a turn is told when it will never begin. */
  #withdrawalOf({ turnId, state }: StoredTurn): AbortSignal | undefined {
    if (state !== "admitted") return undefined;
    const known = this.#withdrawals.get(turnId) ?? new AbortController();
    this.#withdrawals.set(turnId, known);
    return known.signal;
  }

  /** Take back a message whose turn has not begun. */
  async withdraw(turnId: string): Promise<void> {
    const { sessionId, deps } = this.#options;
    const state = await deps.store.withdrawTurn(sessionId, turnId);
    if (state === undefined) {
      throw new SandboxError("turn_not_found", `There is no turn "${turnId}" in session "${sessionId}".`);
    }
    if (state === "sent" || state === "ended") {
      const sentence = `Turn "${turnId}" has begun already and cannot be withdrawn. Interrupt it instead.`;
      throw new SandboxError("turn_already_started", sentence);
    }
    if (state !== "admitted") return;
    this.#open = Math.max(0, this.#open - 1);
    this.#withdrawals.get(turnId)?.abort();
  }

  /** Run what waits, if nothing runs. */
  wake(): void {
    if (this.#loop || this.#isReleased || this.#open === 0) return;
    const { sessionId, deps, writer } = this.#options;
    this.#loop = this.#runAll()
      .then(() => {
        this.#pauseMs = firstPauseMs;
      })
      .catch(async (err: unknown) => {
        deps.log.error({ err, sessionId }, "turns cannot go on yet");
        if (this.#isReleased || writer.failure !== undefined) return;
        await delay(this.#pauseMs, undefined, { signal: this.#released.signal }).catch(() => {});
        this.#pauseMs = Math.min(2 * this.#pauseMs, longestPauseMs);
      })
      .finally(() => {
        this.#loop = undefined;
        if (writer.failure === undefined) this.wake();
      });
  }

  /** Close what a turn left open that will never be ended by its agent. */
  async close(end: TurnEndedMetadata): Promise<void> {
    const { writer, answers } = this.#options;
    await writer.settled();
    const { state } = writer;
    const { turnId } = state;
    if (turnId === null || state.ended) return;
    const drafts = await answers.toldIn(closeOpen(state));
    // Of two who close it at once the second comes too late.
    if (state.turnId === turnId) await this.record([...drafts, turnEnded(turnId, end)]);
  }

  /** The sandbox is gone, with the turn that ran in it. */
  async sandboxLost(reason: string): Promise<void> {
    const message = `The sandbox was lost: ${reason.replace(/\.$/, "")}. The next message gets a new one.`;
    this.#lost = message;
    await this.close({ reason: "error", message });
    this.#endWaiting();
  }

  /** What was written may have ended turns, or the session. */
  written(entries: readonly LogEntry[]): void {
    const { sessionId, deps } = this.#options;
    for (const { type, data } of entries) {
      if (type !== "turn.ended") continue;
      deps.log.info({ sessionId, turnId: data.turn_id, reason: data.metadata.reason }, "a turn ended");
      this.#open = Math.max(0, this.#open - 1);
      this.#justEnded.add(data.turn_id);
      this.#ends.get(data.turn_id)?.();
      this.#withdrawals.delete(data.turn_id);
    }
    if (this.#options.writer.state.ended) this.#endWaiting();
  }

  /** Wait for no turn any more: it goes on in its sandbox, and whoever loads the session next follows it. */
  release(): void {
    this.#released.abort();
    this.#endWaiting();
  }

  get #isReleased(): boolean {
    return this.#released.signal.aborted;
  }

  /** Resolves when nothing is done for a turn here. */
  async stopped(): Promise<void> {
    await this.#loop;
  }

  record(drafts: readonly EventDraft[]): Promise<void> {
    const { writer } = this.#options;
    return writer.append(drafts.map((draft) => ownEntry(draft, writer.state.nativeSessionId)));
  }

  #endWaiting(): void {
    for (const end of this.#ends.values()) end();
  }

  async #runAll(): Promise<void> {
    const { sessionId, deps, writer } = this.#options;
    while (!this.#isReleased) {
      this.#justEnded.clear();
      const [turn] = await deps.store.openTurns(sessionId);
      if (!turn) {
        this.#open = 0;
        return;
      }
      if (this.#justEnded.has(turn.turnId)) continue;
      if (writer.state.ended) await deps.store.withdrawTurn(sessionId, turn.turnId);
      else await this.#run(turn);
    }
  }

  async #run(turn: StoredTurn): Promise<void> {
    const { writer } = this.#options;
    const ended = new Promise<void>((resolve) => this.#ends.set(turn.turnId, resolve));
    try {
      await this.#send(turn);
      await ended;
      if (!this.#isReleased) await this.#options.afterTurn();
    } catch (error) {
      if (this.#isReleased || writer.failure !== undefined) return;
      await this.#failed(turn, error);
    } finally {
      this.#ends.delete(turn.turnId);
      await this.#keepAlive?.end();
    }
  }

  /** Where no answer comes, only the same sandbox can tell whether it has the message: it is sent there until one comes. */
  async #send(turn: StoredTurn): Promise<void> {
    const { sessionId, deps, answers, sandbox } = this.#options;
    const { turnId, message, messageId, attachments } = turn;
    const request = { message, turnId, attachments, ...(messageId ? { messageId } : {}) } as MessageRequest;
    let sent = turn;
    for (let attempt = 1; ; attempt += 1) {
      const active = await this.#sandboxFor(sent);
      this.#keepAlive?.begin(active);
      deps.log.info({ sessionId, turnId, sandboxId: active.id }, "a turn is sent to its sandbox");
      try {
        await answers.sendKept();
        active.allowance.renew();
        await active.client.postMessage(sessionId, asSent(request), { idempotencyKey: turnId });
        return;
      } catch (error) {
        if (!isUnanswered(error)) throw error;
        deps.log.warn({ err: error, sessionId, turnId, attempt }, "a sandbox did not say whether it took a message");
        if (attempt === maxAttempts) await sandbox.giveUp(active, "it does not answer to messages");
        sent = (await deps.store.turn(sessionId, turnId)) ?? turn;
      }
    }
  }

  /** A turn that was sent is never sent to another sandbox: nobody knows how far the first one got with it. */
  async #sandboxFor(turn: StoredTurn): Promise<AgentSandbox> {
    const { deps, writer, sandbox } = this.#options;
    if (turn.state === "sent") {
      await sandbox.found();
      if (sandbox.current && sandbox.current.generation === turn.generation) {
        const active = await sandbox.activate();
        if (active.generation === turn.generation) return active;
      }
      throw new SandboxError("stream_error", this.#lost ?? "The sandbox was lost while this turn ran. Send it again.");
    }
    const active = await sandbox.activate();
    if (await deps.store.markTurnSent(writer.lease, turn.turnId, active.generation)) return active;
    throw new SandboxError("session_ended", "The message was withdrawn before its turn began.");
  }

  /** The daemon did not take it, or there is none: the turn ends with the reason, unless it has ended meanwhile. */
  async #failed(turn: StoredTurn, error: unknown): Promise<void> {
    const { sessionId, deps, writer } = this.#options;
    await writer.settled();
    const stored = await deps.store.turn(sessionId, turn.turnId);
    if (stored?.state !== "admitted" && stored?.state !== "sent") return;
    const isCancelled = error instanceof SandboxError && error.code === "session_ended";
    const message = error instanceof Error ? error.message : String(error);
    deps.log.warn({ err: error, sessionId, turnId: turn.turnId }, "a turn could not be run");
    const end: TurnEndedMetadata = { reason: isCancelled ? "interrupted" : "error", message };
    if (writer.state.turnId === turn.turnId) return this.close(end);
    const record = { ...turn, attachments: turn.attachments as readonly { path: string }[] };
    await this.record([...startOfTurn(record), turnEnded(turn.turnId, end)]);
  }
}

function isUnanswered(error: unknown): boolean {
  if (error instanceof SandboxError) return error.code === "stream_error";
  return error instanceof SandboxAgentError && error.problem === undefined;
}

function keyUsed(turnId: string, idempotencyKey: string | undefined): SandboxError {
  if (idempotencyKey === undefined) {
    return new SandboxError("turn_already_exists", `Turn "${turnId}" exists already, with another message.`);
  }
  const sentence = "This Idempotency-Key was used for another message. Use a new key for a new message.";
  return new SandboxError("invalid_request", sentence);
}
