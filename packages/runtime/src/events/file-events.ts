import { setTimeout as delay } from "node:timers/promises";
import { FsChange } from "@sandbox-agent-ts/protocol";
import type { Logger } from "@sandbox-agent-ts/server";
import { isPathBelow, pathBytesOf } from "../store/entry-path.ts";
import type { EventBus } from "./event-bus.ts";
import { PendingFileChanges } from "./pending-file-changes.ts";

export const fileEventNames = [
  "session:file:created",
  "session:file:modified",
  "session:file:deleted",
  "session:file:resync",
] as const;

/** Changes that come within so long are told together. */
const togetherMs = 100;
/** Of more paths in that time only a resync is told. */
const maxTold = 2_000;
/** More are not read in that time, whoever sends them. */
const maxRead = 20_000;
const firstPauseMs = 500;
const longestPauseMs = 30_000;

export interface FileEventsOptions {
  readonly sessionId: string;
  readonly bus: EventBus;
  readonly log: Logger;
  readonly sandbox: {
    readonly id: string;
    streamWorkspaceFileChanges(signal: AbortSignal): AsyncIterable<FsChange>;
  };
  /** It tells of its files what no daemon does, and why. */
  readonly onUntrusted: (reason: string) => void;
}

class FaultyChange extends Error {}

/**
 * Tells what happens to the files in a session's sandbox for as long as somebody listens; else nothing is asked of the sandbox.
 * Whatever is missed, at the beginning or with a lost connection, is told as a resync.
 */
export class FileEvents {
  readonly #options: FileEventsOptions;
  readonly #unwatch: () => void;
  #following: AbortController | undefined;

  constructor(options: FileEventsOptions) {
    this.#options = options;
    this.#unwatch = options.bus.onAudience(options.sessionId, () => this.#look());
    this.#look();
  }

  close(): void {
    this.#unwatch();
    this.#following?.abort();
  }

  #look(): void {
    const { bus, sessionId } = this.#options;
    const isHeard = bus.isHeard(fileEventNames, sessionId);
    if (isHeard === (this.#following !== undefined)) return;
    this.#following?.abort();
    this.#following = isHeard ? new AbortController() : undefined;
    if (this.#following) void this.#follow(this.#following.signal);
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { sessionId, sandbox, log, onUntrusted } = this.#options;
    for (let pauseMs = firstPauseMs; !signal.aborted; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      const begun = performance.now();
      try {
        await this.#read(signal);
      } catch (err) {
        if (signal.aborted) return;
        if (err instanceof FaultyChange) return onUntrusted(err.message);
        log.warn({ err, sessionId, sandboxId: sandbox.id }, "the files of a sandbox cannot be followed now");
      }
      if (performance.now() - begun > longestPauseMs) pauseMs = firstPauseMs;
      await delay(pauseMs, undefined, { signal }).catch(() => {});
    }
  }

  /** What is read in a while is told in its end; who sends too much waits for that. */
  async #read(signal: AbortSignal): Promise<void> {
    const pending = new PendingFileChanges(maxTold);
    let read = 0;
    let telling: Promise<void> | undefined;
    const tell = async () => {
      await delay(togetherMs, undefined, { signal }).catch(() => {});
      telling = undefined;
      read = 0;
      if (!signal.aborted) this.#tell(pending);
    };
    for await (const change of this.#options.sandbox.streamWorkspaceFileChanges(signal)) {
      take(pending, change);
      read += 1;
      telling ??= tell();
      if (read >= maxRead) await telling;
      if (signal.aborted) return;
    }
  }

  #tell(pending: PendingFileChanges): void {
    const { bus, sessionId } = this.#options;
    const { isResync, changes } = pending.take();
    if (isResync) bus.emit("session:file:resync", { sessionId });
    for (const { type, file } of changes) bus.emit(`session:file:${type}`, { sessionId, file });
  }
}

function take(pending: PendingFileChanges, told: unknown): void {
  const { data: change } = FsChange.safeParse(told);
  if (!change) throw new FaultyChange("It told of a change of files that is none.");
  if (change.type === "ready" || change.type === "overflow") {
    pending.resync();
    return;
  }
  const { type, ...file } = change;
  if (!isPathBelow(pathBytesOf(file)))
    throw new FaultyChange("It told of a change of a file outside of its workspace.");
  pending.add({ type, file });
}
