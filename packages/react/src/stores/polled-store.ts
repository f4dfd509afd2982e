import { asError } from "./as-error.ts";
import { Listeners, type Unsubscribe } from "./listeners.ts";
import { isPageVisible, onPageVisible } from "./page-visibility.ts";

/** After a failure the pause doubles from the first to the second. */
const RETRY_BASE_MS = 1_000;
const RETRY_MAX_MS = 15_000;

export interface PolledOptions<T> {
  readonly read: () => Promise<T>;
  /** Between two reads that worked; without it nothing is read again unless asked for. */
  readonly intervalMs?: number | undefined;
  /** The next value, with what did not change taken from the previous one, which it is itself when nothing did. */
  readonly reconcile?: (previous: T, next: T) => T;
}

export interface Polled<T> {
  /** What was read last; stays through failures. */
  readonly data: T | undefined;
  /** Nothing was read yet, nor has failed. */
  readonly isLoading: boolean;
  /** Why the last read failed; cleared by one that works. */
  readonly error: Error | undefined;
}

/** Something of the daemon's that is asked for again and again, while somebody listens and the page is visible. */
export class PolledStore<T> {
  readonly #options: PolledOptions<T>;
  readonly #listeners = new Listeners({ onFirst: () => this.#start(), onLast: () => this.#stop() });
  #snapshot: Polled<T> = { data: undefined, isLoading: true, error: undefined };
  #timer: ReturnType<typeof setTimeout> | undefined;
  #unwatchPage: Unsubscribe | undefined;
  #reading: Promise<void> | undefined;
  #failures = 0;

  constructor(options: PolledOptions<T>) {
    this.#options = options;
  }

  readonly subscribe = this.#listeners.subscribe;
  readonly getSnapshot = (): Polled<T> => this.#snapshot;

  /** Read now. Resolves when an answer that was asked for after this call is there, or has failed. */
  readonly refresh = async (): Promise<void> => {
    await this.#reading;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
  };

  /** Something may have changed: read now, if anybody wants to know. */
  hint(): void {
    if (this.#unwatchPage) void this.refresh();
  }

  #start(): void {
    this.#unwatchPage = onPageVisible(() => void this.refresh());
    void this.refresh();
  }

  #stop(): void {
    this.#unwatchPage?.();
    this.#unwatchPage = undefined;
    clearTimeout(this.#timer);
  }

  async #read(): Promise<void> {
    clearTimeout(this.#timer);
    try {
      const next = await this.#options.read();
      this.#failures = 0;
      this.#set({ data: this.#reconciled(next), isLoading: false, error: undefined });
    } catch (failure) {
      this.#failures += 1;
      this.#set({ data: this.#snapshot.data, isLoading: false, error: asError(failure) });
    }
    this.#schedule();
  }

  #reconciled(next: T): T {
    const { data } = this.#snapshot;
    return data === undefined || !this.#options.reconcile ? next : this.#options.reconcile(data, next);
  }

  #schedule(): void {
    const pause = this.#failures > 0 ? retryPauseMs(this.#failures) : this.#options.intervalMs;
    if (pause === undefined || !this.#unwatchPage) return;
    this.#timer = setTimeout(() => isPageVisible() && void this.refresh(), pause);
  }

  #set(next: Polled<T>): void {
    const { data, isLoading, error } = this.#snapshot;
    if (data === next.data && isLoading === next.isLoading && error === next.error) return;
    this.#snapshot = next;
    this.#listeners.notify();
  }
}

function retryPauseMs(failures: number): number {
  return Math.min(RETRY_MAX_MS, RETRY_BASE_MS * 2 ** (failures - 1));
}
