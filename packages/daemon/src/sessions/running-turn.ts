import { setTimeout as delay } from "node:timers/promises";
import { expandCommand, type TurnOutcome } from "@sandbox-agent-ts/agents";
import {
  closeOpen,
  daemonEvent,
  type ErrorData,
  type EventDraft,
  startOfTurn,
  type TurnEndReason,
  turnEnded,
} from "@sandbox-agent-ts/protocol";
import { isDiskFailure, type TurnRecord } from "@sandbox-agent-ts/store";
import type { AgentLink } from "./agent-link.ts";
import { asSandboxError } from "./as-sandbox-error.ts";
import { Deferred } from "./deferred.ts";
import type { SessionConfig } from "./session-config.ts";
import type { SessionHost } from "./session-host.ts";
import type { SessionRecorder } from "./session-recorder.ts";
import { whyNotAttached } from "./why-not-attached.ts";

export interface RunningTurnOptions {
  readonly turn: TurnRecord;
  /** Told to the agent before the message, and not in the log. */
  readonly preamble?: string | undefined;
  /** What the message may stand for. */
  readonly commands?: SessionConfig["commands"];
  readonly agentId: string;
  /** In which the session works. */
  readonly directory: string;
  readonly agent: AgentLink;
  readonly recorder: SessionRecorder;
  readonly host: SessionHost;
  /** Resolves when the agent may be prompted. Never rejects. */
  readonly ready: Promise<void>;
  /** Whether the session is being let go of, so that a disk that takes nothing is not waited for. */
  readonly isLetGo: () => boolean;
}

/** One turn, from its start in the log over the agent's part to its end in the log. */
export class RunningTurn {
  readonly #options: RunningTurnOptions;
  #ended = new Deferred<void>();
  #stop: { reason: TurnEndReason; message?: string } | undefined;

  constructor(options: RunningTurnOptions) {
    this.#options = options;
  }

  get turnId(): string {
    return this.#options.turn.turnId;
  }

  /** Rejects, and is replaced, each time that the turn could not be written to the log. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Say why it ends before the agent says so; the first reason wins. */
  stop(reason: TurnEndReason, message?: string): void {
    this.#stop ??= { reason, ...(message === undefined ? {} : { message }) };
  }

  /** How it ended, once that is written; undefined when the session was let go of before it could be. */
  async play(): Promise<TurnOutcome | undefined> {
    const start = startOfTurn(this.#options.turn);
    const isWritten = await this.#write(
      () => start,
      () => start.slice(0, 1),
    );
    if (!isWritten) return undefined;
    const { turn, directory } = this.#options;
    const refusal = await whyNotAttached(turn.attachments, directory);
    if (refusal !== undefined) return this.#endWith({ code: "invalid_request", message: refusal });
    try {
      return await this.#end(await this.#prompt());
    } catch (error) {
      return this.#fail(error);
    }
  }

  /** Those who wait for the end hear of it now. */
  announceEnd(): void {
    this.#ended.resolve();
  }

  async #prompt(): Promise<TurnOutcome> {
    const wasStopped = () => this.#stop !== undefined;
    if (wasStopped()) return { reason: "interrupted" };
    const { agent: link, recorder, ready } = this.#options;
    // That the turn was started must outlive a power cut: the next start would send the message again.
    const durable = recorder.log.sync();
    durable.catch(() => {});
    const { agent, lost } = await link.open();
    await Promise.all([ready, durable]);
    if (wasStopped()) return { reason: "interrupted" };
    const { turn, preamble, commands } = this.#options;
    const told = expandCommand(turn.message, commands);
    const message = preamble ? `${preamble}\n\n${told}` : told;
    return Promise.race([agent.prompt({ ...turn, message }), lost]);
  }

  async #fail(error: unknown): Promise<TurnOutcome | undefined> {
    const { agent, agentId, recorder } = this.#options;
    await agent.close();
    const place = { agent: agentId, sessionId: recorder.log.sessionId };
    const { code, message, details } = asSandboxError(error, place);
    return this.#endWith({ message, code, ...(details === undefined ? {} : { details }) });
  }

  #endWith(data: ErrorData): Promise<TurnOutcome | undefined> {
    return this.#end({ reason: "error", message: data.message }, daemonEvent({ type: "error", data }));
  }

  async #end(outcome: TurnOutcome, failure?: EventDraft): Promise<TurnOutcome | undefined> {
    this.#options.recorder.recordRest();
    const written = await this.#write(
      () => this.#endOfTurn(outcome, closeOpen(this.#options.recorder.state), failure),
      (error) => this.#endWithoutText(error),
    );
    return written ? outcome : undefined;
  }

  /** What is left to say when a turn is over: the end of all it left open, why it failed, and its own end. */
  #endOfTurn({ sessionEnded, ...end }: TurnOutcome, closing: EventDraft[], failure?: EventDraft): EventDraft[] {
    const drafts = closing;
    if (failure && !this.#stop) drafts.push(failure);
    drafts.push(turnEnded(this.#options.turn.turnId, { ...end, ...this.#stop }));
    if (sessionEnded) drafts.push({ type: "session.ended", data: sessionEnded, source: "agent", synthetic: false });
    return drafts;
  }

  /** The end of a turn whose own end cannot be written, e.g. because it does not fit into a string. */
  #endWithoutText(error: unknown): EventDraft[] {
    const { recorder } = this.#options;
    const { message } = asSandboxError(error, { sessionId: recorder.log.sessionId });
    const sentence = `The end of this turn could not be written as it was: ${message}`;
    const failure = daemonEvent({ type: "error", data: { message: sentence, code: "internal_error" } });
    const closing = closeOpen(recorder.state, { withText: false });
    return this.#endOfTurn({ reason: "error", message: sentence }, closing, failure);
  }

  /**
   * Write its start or its end, however often it takes: a full disk delays it. What cannot be written for another reason
   * is replaced by less. False when that does not help either, and when the session is let go of first.
   */
  async #write(drafts: () => readonly EventDraft[], less: (error: unknown) => readonly EventDraft[]): Promise<boolean> {
    const { recorder, host, isLetGo } = this.#options;
    const { sessionId } = recorder.log;
    let make = drafts;
    while (true) {
      try {
        await recorder.mended();
        await recorder.record(make());
        return true;
      } catch (err) {
        host.log.warn({ err, sessionId }, "a turn could not be written to the log; trying again");
        this.#ended.reject(err);
        this.#ended = new Deferred();
        if (isLetGo()) return false;
        if (isDiskFailure(err)) await delay(host.retryWriteMs);
        else if (make !== drafts) return false;
        else make = () => less(err);
      }
    }
  }
}
