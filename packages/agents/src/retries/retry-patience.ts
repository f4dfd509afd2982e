import { limitOf } from "./limit-of.ts";

const DEFAULT_PATIENCE_MS = 30_000;
const variable = "SANDBOX_AGENT_RETRY_MS";

/**
 * Ends the patience with an agent that only asks its model again. Agents wait for minutes, for as long as the service
 * says, or for ever; a person who waits would rather know. Success in between starts it anew, so that a long turn with
 * many short troubles is not given up.
 */
export class RetryPatience {
  readonly #limitMs: number;
  readonly #giveUp: () => void;
  #timer: NodeJS.Timeout | undefined;

  /** `giveUp` stops the turn, which then ends with what the last try met. Called once for each row of failures. */
  constructor(env: Readonly<Record<string, string>>, giveUp: () => void) {
    this.#limitMs = limitOf(env, variable, DEFAULT_PATIENCE_MS);
    this.#giveUp = giveUp;
  }

  /** After each thing the agent said: is the last we know that a try failed and another one follows? */
  watch(isRetrying: boolean): void {
    if (!isRetrying) this.end();
    else this.#timer ??= setTimeout(this.#giveUp, this.#limitMs);
  }

  /** The turn is over. */
  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
