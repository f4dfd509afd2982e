import { asError } from "./as-error.ts";
import { Listeners, type Unsubscribe } from "./listeners.ts";
import { isPageVisible, onVisibilityChange } from "./page-visibility.ts";

/** After a failure the pause doubles from the first to the second. */
const RETRY_BASE_MS = 1_000;
const RETRY_MAX_MS = 15_000;

export interface PolledOptions<T> {
  readonly read: () => Promise<T>;
  /** Between two reads that worked; without it nothing is read again unless asked for. */
  readonly intervalMs?: number | undefined;
  /** The next value, with what did not change taken from the previous one, which it is itself when nothing did. */
  readonly reconcile?: (previous: T, next: T) => T;
  /**
   * Follow the changes instead of reading at intervals, until the returned function is called. Called when there are
   * listeners and the page is visible; the first read waits for the follower's `reload`.
   */
  readonly follow?: (follower: Follower<T>) => Unsubscribe;
  readonly onData?: (data: T) => void;
}

/** What a store is told by the stream it follows. */
export interface Follower<T> {
  /** Changes will arrive. */
  readonly connected: () => void;
  /** Changes do not arrive at the moment. */
  readonly disconnected: (failure: Error) => void;
  /** Changes may have been missed: read everything again. */
  readonly reload: () => void;
  readonly update: (change: (data: T) => T) => void;
  /** The daemon has no such stream: read at intervals. */
  readonly unsupported: () => void;
}

export interface Polled<T> {
  /** What was read last; stays through failures. */
  readonly data: T | undefined;
  /** Nothing was read yet, nor has failed. */
  readonly isLoading: boolean;
  /** Why the last read failed; cleared by one that works. */
  readonly error: Error | undefined;
}

/** Something of the daemon's that is kept up to date while somebody listens and the page is visible. */
export class PolledStore<T> {
  readonly #options: PolledOptions<T>;
  readonly #listeners = new Listeners({ onFirst: () => this.#start(), onLast: () => this.#stop() });
  #snapshot: Polled<T> = { data: undefined, isLoading: true, error: undefined };
  #timer: ReturnType<typeof setTimeout> | undefined;
  #unwatchPage: Unsubscribe | undefined;
  #unfollow: Unsubscribe | undefined;
  #isConnected = false;
  #isUnsupported = false;
  #reading: Promise<void> | undefined;
  /** Changes that arrived since the running read was sent: its answer may be older than they are. */
  #changesDuringRead: ((data: T) => T)[] = [];
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

  /** Something may have changed: read now, if anybody wants to know and is not told anyway. */
  hint(): void {
    if (this.#unwatchPage && !this.#isConnected) void this.refresh();
  }

  #start(): void {
    this.#isUnsupported = false;
    this.#unwatchPage = onVisibilityChange(() => (isPageVisible() ? this.#resume() : this.#disconnect()));
    if (isPageVisible()) this.#resume();
    else void this.refresh();
  }

  #resume(): void {
    if (!this.#options.follow || this.#isUnsupported) void this.refresh();
    else this.#unfollow ??= this.#options.follow(this.#follower());
  }

  #stop(): void {
    this.#unwatchPage?.();
    this.#unwatchPage = undefined;
    this.#disconnect();
    clearTimeout(this.#timer);
  }

  #disconnect(): void {
    this.#unfollow?.();
    this.#unfollow = undefined;
    this.#isConnected = false;
  }

  #follower(): Follower<T> {
    return {
      connected: () => {
        this.#isConnected = true;
        if (this.#snapshot.data !== undefined) this.#set({ ...this.#snapshot, error: undefined });
      },
      disconnected: (error) => {
        this.#isConnected = false;
        this.#set({ ...this.#snapshot, isLoading: false, error });
      },
      reload: () => void this.refresh(),
      update: (change) => this.#update(change),
      unsupported: () => {
        this.#isUnsupported = true;
        this.#disconnect();
        void this.refresh();
      },
    };
  }

  #update(change: (data: T) => T): void {
    if (this.#reading) this.#changesDuringRead.push(change);
    const { data } = this.#snapshot;
    if (data !== undefined) this.#set({ ...this.#snapshot, data: this.#reconciled(change(data)) });
  }

  async #read(): Promise<void> {
    clearTimeout(this.#timer);
    this.#changesDuringRead = [];
    try {
      let next: T = await this.#options.read();
      for (const change of this.#changesDuringRead) next = change(next);
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
    const pause = this.#failures > 0 ? retryPauseMs(this.#failures) : this.#intervalMs();
    if (pause === undefined || !this.#unwatchPage) return;
    this.#timer = setTimeout(() => isPageVisible() && void this.refresh(), pause);
  }

  #intervalMs(): number | undefined {
    return this.#options.follow && !this.#isUnsupported ? undefined : this.#options.intervalMs;
  }

  #set(next: Polled<T>): void {
    const { data, isLoading, error } = this.#snapshot;
    if (data === next.data && isLoading === next.isLoading && error === next.error) return;
    this.#snapshot = next;
    if (next.data !== undefined && next.data !== data) this.#options.onData?.(next.data);
    this.#listeners.notify();
  }
}

function retryPauseMs(failures: number): number {
  return Math.min(RETRY_MAX_MS, RETRY_BASE_MS * 2 ** (failures - 1));
}
