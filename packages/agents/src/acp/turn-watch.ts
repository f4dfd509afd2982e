import type { ErrorData } from "@sandbox-agent-ts/protocol";
import { RetryPatience } from "../retries/retry-patience.ts";
import { SilencePatience } from "../retries/silence-patience.ts";
import type { AcpAgent } from "./acp-agent.ts";
import type { AcpState } from "./convert/acp-state.ts";
import type { LogWriter } from "./retry-log.ts";
import { RetryWatch } from "./retry-watch.ts";

/** An agent that is told to stop does so within a fraction of this. */
const STOP_LIMIT_MS = 3_000;

export interface TurnWatchListener {
  /** A try failed and another one follows; said only in the agent's log. */
  met(what: string): void;
  /** The turn shall end with this. */
  giveUp(why: ErrorData): void;
  /** It was given up, and goes on. */
  goesOn(): void;
}

/** Sees to it that a turn goes on, or ends. */
export class TurnWatch {
  readonly #agent: AcpAgent;
  readonly #listener: TurnWatchListener;
  readonly #retries: RetryPatience;
  readonly #silence: SilencePatience;
  readonly #log: RetryWatch | undefined;
  #state: AcpState | undefined;
  #stopping: NodeJS.Timeout | undefined;

  constructor(agent: AcpAgent, env: Readonly<Record<string, string>>, listener: TurnWatchListener) {
    const log = agent.quirks?.retryLog;
    this.#agent = agent;
    this.#listener = listener;
    this.#retries = new RetryPatience(env, () => this.#giveUp(this.#state?.turn.retrying));
    this.#silence = new SilencePatience(env, () => this.#giveUp(this.#silent()));
    this.#log = log && new RetryWatch(log, (what) => this.#met(what));
  }

  /** The agent has the prompt. */
  begin(state: AcpState, writer: LogWriter): void {
    this.#state = state;
    this.#silence.heard(true);
    this.#log?.begin(writer);
  }

  /** After each thing that the agent said or was told. */
  look(state: AcpState): void {
    const before = this.#state;
    if (!before) return;
    this.#state = state;
    this.#retries.watch(state.turn.retrying !== undefined);
    this.#silence.heard(isIdle(state));
    if (state.turn.answers !== before.turn.answers) this.#log?.answered();
  }

  end(): void {
    this.#state = undefined;
    clearTimeout(this.#stopping);
    this.#stopping = undefined;
    this.#retries.end();
    this.#silence.end();
    this.#log?.end();
  }

  /** While a tool runs, it is something in the background that asks. */
  #met(what: string): void {
    if (this.#state && isIdle(this.#state)) this.#listener.met(what);
  }

  #giveUp(why: ErrorData | undefined): void {
    if (!why || this.#stopping) return;
    this.#listener.giveUp(why);
    this.#stopping = setTimeout(() => this.#listener.goesOn(), STOP_LIMIT_MS);
  }

  #silent(): ErrorData {
    const { limitMs, variable } = this.#silence;
    const message =
      `${this.#agent.displayName} said nothing for ${limitMs / 1000} seconds, so its turn was stopped. ` +
      `Send the message again; ${variable} sets for how many milliseconds an agent may be silent.`;
    return { message, code: "timeout", details: { limitMs } };
  }
}

function isIdle({ calls, requests }: AcpState): boolean {
  return calls.size === 0 && requests.size === 0;
}
