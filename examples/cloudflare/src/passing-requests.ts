/**
 * Requests on their way to a port of a box and back. They are cut when the daemon ends: a connection that breaks inside of the
 * container is not always told outside, so that who follows a stream would wait for ever.
 */
export class PassingRequests {
  readonly #cuts = new Set<AbortController>();
  readonly #onEmpty: () => void;

  constructor(onEmpty: () => void) {
    this.#onEmpty = onEmpty;
  }

  get count(): number {
    return this.#cuts.size;
  }

  /** One more, until its `done` is called; its signal is that of its cut. */
  begin(): { readonly signal: AbortSignal; done(): void } {
    const cut = new AbortController();
    this.#cuts.add(cut);
    const done = () => {
      if (this.#cuts.delete(cut) && this.#cuts.size === 0) this.#onEmpty();
    };
    return { signal: cut.signal, done };
  }

  cutAll(reason: string): void {
    for (const cut of [...this.#cuts]) cut.abort(new Error(reason));
  }
}
