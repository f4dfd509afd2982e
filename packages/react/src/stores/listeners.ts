export type Unsubscribe = () => void;

export interface ListenersOptions {
  /** The first one is here: begin. */
  readonly onFirst?: () => void;
  /** The last one has gone and none came in its place: stop. */
  readonly onLast?: () => void;
}

/**
 * Who wants to know of changes. A listener that leaves while another comes (a component that moved to another place of
 * the page, React's strict mode) does not count as the last one.
 */
export class Listeners {
  readonly #options: ListenersOptions;
  readonly #entries = new Set<{ readonly call: () => void }>();
  #leaving: ReturnType<typeof setTimeout> | undefined;
  #active = false;

  constructor(options: ListenersOptions = {}) {
    this.#options = options;
  }

  readonly subscribe = (call: () => void): Unsubscribe => {
    const entry = { call };
    this.#entries.add(entry);
    this.#begin();
    return () => {
      if (this.#entries.delete(entry) && this.#entries.size === 0) this.#leaving = setTimeout(() => this.#stop(), 0);
    };
  };

  notify(): void {
    for (const { call } of [...this.#entries]) call();
  }

  #begin(): void {
    clearTimeout(this.#leaving);
    if (this.#active) return;
    this.#active = true;
    this.#options.onFirst?.();
  }

  #stop(): void {
    this.#active = false;
    this.#options.onLast?.();
  }
}
