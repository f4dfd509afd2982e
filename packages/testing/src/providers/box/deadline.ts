const longestTimerMs = 2 ** 31 - 1;

/** A time at which something happens, as far away as one likes. */
export class Deadline {
  #at: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  get at(): number | undefined {
    return this.#at;
  }

  set(at: number | undefined, then: () => void): void {
    clearTimeout(this.#timer);
    this.#at = at;
    if (at !== undefined) this.#wait(at, then);
  }

  #wait(at: number, then: () => void): void {
    const left = at - Date.now();
    const next = left > longestTimerMs ? () => this.#wait(at, then) : then;
    this.#timer = setTimeout(next, Math.min(Math.max(left, 0), longestTimerMs)).unref();
  }
}
