import { limitOf } from "./limit-of.ts";

/**
 * Longer than any model thinks without a word, and longer than the ten minutes after which most programs themselves give
 * up a request.
 */
const DEFAULT_PATIENCE_MS = 15 * 60_000;
const variable = "SANDBOX_AGENT_SILENCE_MS";

/** Ends the patience with an agent of which nothing is heard although nothing keeps it. */
export class SilencePatience {
  readonly limitMs: number;
  readonly variable = variable;
  readonly #giveUp: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(env: Readonly<Record<string, string>>, giveUp: () => void) {
    this.limitMs = limitOf(env, variable, DEFAULT_PATIENCE_MS);
    this.#giveUp = giveUp;
  }

  /** After each thing that was heard. `waits`: the next word has to come from the agent; no tool runs and nobody is asked. */
  heard(waits: boolean): void {
    if (!waits) this.end();
    else if (this.#timer) this.#timer.refresh();
    else this.#timer = setTimeout(this.#giveUp, this.limitMs);
  }

  /** The turn is over. */
  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
