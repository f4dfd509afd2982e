import { setTimeout as delay } from "node:timers/promises";
import type { TurnOutcome } from "@sandbox-agent-ts/agents";
import type { TurnRecord } from "@sandbox-agent-ts/store";
import type { AgentLink } from "./agent-link.ts";
import type { RunningTurn } from "./running-turn.ts";
import type { SessionHost } from "./session-host.ts";
import type { TurnQueue } from "./turn-queue.ts";

export interface TurnLoopOptions {
  readonly sessionId: string;
  readonly queue: TurnQueue;
  readonly agent: AgentLink;
  readonly host: SessionHost;
  /** Whether waiting turns may start. */
  readonly mayContinue: () => boolean;
  readonly create: (turn: TurnRecord) => RunningTurn;
  /** After a turn, before those who wait for its end hear of it. */
  readonly onEnd: (outcome: TurnOutcome | undefined) => Promise<void>;
}

/** Runs the queued turns, one at a time. */
export class TurnLoop {
  readonly #options: TurnLoopOptions;
  #running: RunningTurn | undefined;
  #isActive = false;

  constructor(options: TurnLoopOptions) {
    this.#options = options;
  }

  get runningTurnId(): string | undefined {
    return this.#running?.turnId;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Start what is waiting, if nothing runs. */
  wake(): void {
    if (this.#isActive) return;
    const { queue, host, sessionId, mayContinue } = this.#options;
    this.#isActive = true;
    this.#runWaiting()
      .catch((err: unknown) => host.log.error({ err, sessionId }, "the turn loop failed"))
      .finally(() => {
        this.#isActive = false;
        if (queue.length > 0 && mayContinue()) this.wake();
      });
  }

  /** Stop the running turn and wait until it has ended. Does nothing when none runs. */
  async interrupt(): Promise<void> {
    const running = this.#running;
    if (!running) return;
    const { agent, host } = this.#options;
    running.stop("interrupted");
    void agent.tell((it) => it.interrupt());
    const limit = new AbortController();
    const late = delay(host.interruptLimitMs, true, { signal: limit.signal }).catch(() => false);
    const tooLate = await Promise.race([running.ended.then(() => false), late]);
    limit.abort();
    if (tooLate) void agent.close();
    await running.ended;
  }

  /** Close the agent, and with it the running turn; resolves when that has ended. */
  async stop(message: string): Promise<void> {
    const running = this.#running;
    running?.stop("interrupted", message);
    await this.#options.agent.close();
    await running?.ended;
  }

  /** Close the agent; the running turn, if any, ends with this error. */
  async fail(message: string): Promise<void> {
    this.#running?.stop("error", message);
    await this.#options.agent.close();
  }

  /** Resolves when no turn runs, even if its end could not be written. */
  async untilIdle(): Promise<void> {
    while (this.#running) await this.#running.ended.catch(() => {});
  }

  async #runWaiting(): Promise<void> {
    const { queue, mayContinue } = this.#options;
    while (mayContinue()) {
      const turn = await queue.first();
      if (!turn || !mayContinue()) return;
      if (queue.take(turn)) await this.#run(turn);
    }
  }

  async #run(turn: TurnRecord): Promise<void> {
    const running = this.#options.create(turn);
    this.#running = running;
    const outcome = await running.play();
    await this.#options.onEnd(outcome);
    this.#running = undefined;
    this.#options.host.changed(this.#options.sessionId, "changed");
    running.announceEnd();
  }
}
