/** Does its work again and again, with a pause after each, until it is stopped. */
export class Recurring {
  readonly #work: () => Promise<unknown>;
  readonly #pauseMs: number;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(work: () => Promise<unknown>, pauseMs: number) {
    this.#work = work;
    this.#pauseMs = pauseMs;
    this.#wait();
  }

  /** Resolves when nothing of it is under way. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#running;
    clearTimeout(this.#timer);
  }

  #wait(): void {
    this.#timer = setTimeout(() => {
      this.#running = this.#work().then(
        () => this.#wait(),
        () => this.#wait(),
      );
    }, this.#pauseMs).unref();
  }
}
