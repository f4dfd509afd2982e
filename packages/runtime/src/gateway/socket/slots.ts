/** Lets so many work at a time; the others wait in the order in which they came. */
export class Slots {
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  /** Resolves with how to let the next one in; undefined where the signal fired before it was this one's turn. */
  async take(signal: AbortSignal): Promise<(() => void) | undefined> {
    if (signal.aborted) return undefined;
    if (this.#free > 0) this.#free -= 1;
    else if (!(await this.#turn(signal))) return undefined;
    let isHeld = true;
    return () => {
      if (isHeld) this.#release();
      isHeld = false;
    };
  }

  #turn(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const done = (isTurn: boolean) => {
        this.#waiting.delete(enter);
        signal.removeEventListener("abort", leave);
        resolve(isTurn);
      };
      const enter = () => done(true);
      const leave = () => done(false);
      this.#waiting.add(enter);
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  #release(): void {
    const [next] = this.#waiting;
    if (next) next();
    else this.#free += 1;
  }
}
