/** Aborts its signal when it is waited for too long in one go. */
export class Patience {
  readonly #abort = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** What is now waited for must come within this time. */
  wait(ms: number): void {
    this.rest();
    this.#timer = setTimeout(() => this.#abort.abort(new Error(`nothing came for ${ms / 1000} s`)), ms);
  }

  /** It came, or nobody waits just now. */
  rest(): void {
    clearTimeout(this.#timer);
  }

  /** Lets go of whatever hangs on the signal. */
  end(): void {
    this.rest();
    this.#abort.abort();
  }
}
