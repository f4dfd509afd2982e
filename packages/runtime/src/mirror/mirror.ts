import { type ReconnectOptions, SandboxAgentError } from "@sandbox-agent-ts/sdk";
import type { AgentSandbox } from "../sandboxes/agent-sandbox.ts";
import type { SessionWriter } from "../sessions/session-writer.ts";
import type { LogEntry } from "./encode-event.ts";
import { EventReader, UntrustedSandbox } from "./event-reader.ts";

/** Events that wait for the store before reading goes on. */
const maxWaiting = 2_000;
/** Characters of events that may wait for the store, however few events that are. */
const maxUnwrittenChars = 8 * 1024 * 1024;
const maxRestMs = 4;

export interface MirrorOptions {
  readonly sessionId: string;
  readonly sandbox: AgentSandbox;
  readonly writer: SessionWriter;
  readonly signal: AbortSignal;
  /** The connection to the daemon is up, or was lost and is to be made anew. */
  readonly onConnection: (state: "live" | "reconnecting") => void;
  readonly reconnect: ReconnectOptions;
}

/** The store did not say where to read on, and the sandbox has no part in that. */
export class UnreadStore extends Error {}

async function cursorOf(sandbox: AgentSandbox): Promise<number> {
  try {
    return await sandbox.cursor();
  } catch (cause) {
    throw new UnreadStore("The store did not say how far the sandbox was read.", { cause });
  }
}

/**
 * Bring the events of a sandbox's daemon into the session's own log, each once: the cursor is committed with them. Resolves
 * when the session there has ended or the signal fires; rejects when the daemon cannot be reached any more, with
 * `UntrustedSandbox` when it sends what no daemon sends, with `UnreadStore`, and with what the writer failed with.
 */
export async function mirrorEvents({ sessionId, sandbox, writer, signal, ...following }: MirrorOptions): Promise<void> {
  const query = { offset: await cursorOf(sandbox), includeRaw: true };
  const reader = new EventReader(sessionId);
  let waiting: LogEntry[] = [];
  let waitingCount = 0;
  let unwrittenChars = 0;
  let written: Promise<void> = Promise.resolve();
  let failure: unknown;
  const flush = (): Promise<void> => {
    if (waiting.length === 0) return written;
    const entries = waiting;
    waiting = [];
    waitingCount = 0;
    written = writer.append(entries, { sandboxId: sandbox.id, sequence: reader.sequence });
    written.catch((error: unknown) => {
      failure ??= error;
    });
    return written;
  };
  const pace = new Pace(flush);
  try {
    for await (const arrived of sandbox.client.streamEventLines(sessionId, query, { signal, ...following })) {
      if (failure !== undefined) throw failure;
      const before = waiting.length;
      let chars = 0;
      for (const events of arrived) {
        reader.read(events, waiting);
        waitingCount += events.count;
        chars += events.lines.length + events.payloads.length;
      }
      unwrittenChars += chars;
      sandbox.allowance.take(chars);
      for (let at = before; at < waiting.length; at += 1) sandbox.allowance.hold(waiting[at]!);
      if (waitingCount < maxWaiting && unwrittenChars < maxUnwrittenChars) {
        pace.soon();
        continue;
      }
      await flush();
      unwrittenChars = 0;
    }
  } catch (error) {
    await flush().catch(() => {});
    throw failure ?? asUntrusted(error);
  }
  await flush();
}

/** Writes at once where there is time, and after a rest where writes follow upon each other: then they are fewer and larger. */
class Pace {
  readonly #write: () => Promise<void>;
  #isDue = false;
  #restsUntil = 0;

  constructor(write: () => Promise<void>) {
    this.#write = write;
  }

  soon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    const rest = this.#restsUntil - performance.now();
    if (rest > 0) setTimeout(() => this.#run(), rest);
    else setImmediate(() => this.#run());
  }

  #run(): void {
    this.#isDue = false;
    const begun = performance.now();
    this.#write()
      .catch(() => {})
      .finally(() => {
        const now = performance.now();
        this.#restsUntil = now + Math.min(maxRestMs, 2 * (now - begun));
      });
  }
}

/** A gap, or bytes that are no event, cannot come from a daemon whose connection broke. */
function asUntrusted(error: unknown): unknown {
  const isCorrupt = error instanceof SandboxAgentError && error.constructor !== SandboxAgentError;
  return isCorrupt ? new UntrustedSandbox(`The sandbox sent a broken stream: ${error.message}`) : error;
}
