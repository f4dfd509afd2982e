import type {
  SessionInfo,
  SessionListEntry,
  SessionStatus,
  Transcript,
  UniversalEvent,
} from "@sandbox-agent-ts/protocol";
import { emptyTranscript, foldEvents, type MessageAttachment, type SandboxAgent } from "@sandbox-agent-ts/sdk";
import { withLongSettings } from "./follow-sessions.ts";
import { Listeners, type Unsubscribe } from "./listeners.ts";
import { liveSessionInfo } from "./live-session-info.ts";
import { Outbox, type OutboxState } from "./outbox.ts";
import { pauseWhenHidden } from "./pause-when-hidden.ts";
import { noRequests, type PendingRequests, pendingRequests } from "./pending-requests.ts";
import { SessionStream, type StreamState } from "./session-stream.ts";

export interface SessionState {
  /** What is known of the session; its `eventCount` is as of the last change of anything else. */
  readonly session: SessionInfo | undefined;
  readonly status: SessionStatus;
  /** `connecting` until everything that happened before is there. */
  readonly connection: StreamState;
  /** Why the connection was lost or has failed, or what is wrong with the session. */
  readonly error: Error | undefined;
}

export interface SessionStoreOptions {
  readonly client: SandboxAgent;
  readonly sessionId: string;
  /** Something changed that lists of sessions show. */
  readonly onNews: () => void;
  /** Keep the list of sessions up to date: it tells when a missing session appears. */
  readonly watchList: () => Unsubscribe;
  /** Nobody listens any more. */
  readonly onIdle: () => void;
}

/**
 * One session as its readers see it: a single stream however many they are, open only while there are any. Reading on
 * after a pause, a lost connection or a restart of the daemon begins behind the last event.
 */
export class SessionStore {
  readonly #options: SessionStoreOptions;
  readonly #listeners = new Listeners({ onFirst: () => this.#open(), onLast: () => this.#close() });
  readonly #stream: SessionStream;
  readonly #outbox: Outbox;
  #transcript: Transcript = emptyTranscript;
  #log: UniversalEvent[] = [];
  #events: readonly UniversalEvent[] | undefined;
  #requests: PendingRequests = noRequests;
  #info: SessionInfo | undefined;
  #streamState: StreamState = "connecting";
  #streamError: Error | undefined;
  #isCaughtUp = false;
  #isOpen = false;
  #unwatchPage: Unsubscribe | undefined;
  #unwatchList: Unsubscribe | undefined;
  #state: SessionState = { session: undefined, status: "idle", connection: "connecting", error: undefined };
  #stateSources: readonly unknown[] = [];
  #news: string | undefined;

  constructor(options: SessionStoreOptions) {
    const { client, sessionId } = options;
    this.#options = options;
    this.#stream = new SessionStream({
      client,
      sessionId,
      onEvents: (events) => this.#fold(events),
      onState: (state, error) => this.#setStream(state, error),
    });
    this.#outbox = new Outbox({
      client,
      sessionId,
      turns: () => this.#transcript.turns,
      onChange: () => this.#publish(),
    });
  }

  readonly subscribe = this.#listeners.subscribe;
  readonly getState = (): SessionState => this.#state;
  readonly getTranscript = (): Transcript => this.#transcript;
  readonly getRequests = (): PendingRequests => this.#requests;
  readonly getOutbox = (): OutboxState => this.#outbox.state;

  /** The whole log so far; copied only when somebody looks. */
  readonly getEvents = (): readonly UniversalEvent[] => {
    this.#events ??= this.#log.slice();
    return this.#events;
  };

  readonly send = async (message: string, attachments?: readonly MessageAttachment[]): Promise<void> => {
    await this.#outbox.send(message, attachments);
    this.#lookAgain();
  };

  readonly interrupt = (): Promise<void> => this.#options.client.interruptSession(this.#options.sessionId);
  readonly terminate = (): Promise<void> => this.#options.client.terminateSession(this.#options.sessionId);

  readonly rename = async (title: string): Promise<void> => {
    this.accept(await this.#options.client.renameSession(this.#options.sessionId, { title }));
    this.#options.onNews();
  };

  /** Not read while it is being deleted, which takes a while where a sandbox ends with it. */
  readonly remove = async (): Promise<void> => {
    const { client, sessionId, onNews } = this.#options;
    this.#stream.stop();
    try {
      await client.deleteSession(sessionId);
    } catch (failure) {
      if (this.#isOpen) this.#readOn();
      throw failure;
    }
    this.#setStream("missing", new Error(`The session "${sessionId}" was deleted.`));
    onNews();
  };

  /** Somebody has newer word of the session than we have. */
  accept(info: SessionInfo): void {
    const isAnother = this.#info !== undefined && this.#info.createdAt !== info.createdAt;
    if (!isAnother) this.#lookAgain();
    if (JSON.stringify(info) === JSON.stringify(this.#info)) return;
    this.#info = info;
    if (isAnother) this.#beginAnew();
    this.#publish();
  }

  /** The session as the list of sessions has it. */
  acceptEntry(entry: SessionListEntry): void {
    this.accept(withLongSettings(this.#info, entry));
  }

  #open(): void {
    this.#isOpen = true;
    this.#readOn();
    this.#unwatchPage = pauseWhenHidden({
      isIdle: () => this.#state.status === "idle" || this.#state.status === "ended",
      pause: () => this.#stream.stop(),
      resume: () => this.#readOn(),
    });
  }

  #readOn(): void {
    this.#stream.start(this.#transcript.lastSequence);
    void this.#readInfo();
  }

  /** There is word of a session that was not there. */
  #lookAgain(): void {
    if (this.#isOpen && this.#streamState === "missing") this.#stream.start(this.#transcript.lastSequence);
  }

  #close(): void {
    this.#isOpen = false;
    this.#unwatchPage?.();
    this.#stopWatchingList();
    this.#stream.stop();
    this.#options.onIdle();
  }

  /** The session was deleted and another made under the same name. */
  #beginAnew(): void {
    this.#stream.stop();
    this.#transcript = emptyTranscript;
    this.#log = [];
    this.#events = undefined;
    this.#requests = noRequests;
    this.#isCaughtUp = false;
    this.#outbox.clear();
    if (this.#isOpen) this.#stream.start(0);
  }

  async #readInfo(): Promise<void> {
    const { client, sessionId } = this.#options;
    try {
      this.accept(await client.getSession(sessionId));
    } catch {
      // The stream meets the same trouble, says so and goes on trying; it asks again when it is back.
    }
  }

  #fold(events: readonly UniversalEvent[]): void {
    const { permissions, questions } = this.#transcript;
    this.#transcript = foldEvents(this.#transcript, events);
    if (permissions !== this.#transcript.permissions || questions !== this.#transcript.questions) {
      this.#requests = this.#pendingRequests();
    }
    for (const event of events) this.#log.push(event);
    this.#events = undefined;
    this.#settleOutbox();
    this.#publish();
  }

  #settleOutbox(): void {
    if (this.#transcript.status === "ended") this.#outbox.clear();
    else this.#outbox.settle();
  }

  #pendingRequests(): PendingRequests {
    return pendingRequests(this.#options.sessionId, this.#transcript.permissions, this.#transcript.questions);
  }

  #setStream(state: StreamState, error: Error | undefined): void {
    const wasShut = this.#streamState === "missing" || this.#streamState === "refused";
    if (state === "live" && (this.#info === undefined || wasShut)) void this.#readInfo();
    this.#streamState = state;
    this.#streamError = error;
    if (state === "missing" && this.#isOpen) this.#unwatchList ??= this.#options.watchList();
    else this.#stopWatchingList();
    this.#publish();
  }

  #stopWatchingList(): void {
    this.#unwatchList?.();
    this.#unwatchList = undefined;
  }

  #publish(): void {
    this.#catchUp();
    this.#state = this.#nextState();
    this.#tellNews();
    this.#listeners.notify();
  }

  #catchUp(): void {
    if (this.#isCaughtUp || !this.#info || this.#transcript.lastSequence < this.#info.eventCount) return;
    this.#isCaughtUp = true;
    this.#outbox.restore(this.#info.createdAt);
    this.#settleOutbox();
  }

  /**
   * What others show of a session: its status, whom it waits for, its settings and its title, which the first turn gives
   * it.
   */
  #tellNews(): void {
    const { session, status } = this.#state;
    if (!session) return;
    const { turns, session: summary } = this.#transcript;
    const { pendingPermissions, pendingQuestions } = session;
    const news = JSON.stringify([status, turns.length, pendingPermissions, pendingQuestions, summary.changes]);
    if (news === this.#news) return;
    const isFirst = this.#news === undefined;
    this.#news = news;
    if (isFirst || !this.#isCaughtUp) return;
    void this.#readInfo();
    this.#options.onNews();
  }

  /** A new state only when something in it changed, and not at every delta. */
  #nextState(): SessionState {
    const { permissions, questions, usage, turns, session } = this.#transcript;
    const connection = this.#streamState === "live" && !this.#isCaughtUp ? "connecting" : this.#streamState;
    const status = this.#status();
    const sources: unknown[] = [status, connection, this.#streamError, this.#info, permissions, questions, usage];
    sources.push(turns.length, session.ended, session.nativeSessionId);
    if (sources.every((source, index) => source === this.#stateSources[index])) return this.#state;
    this.#stateSources = sources;
    const live = this.#isCaughtUp && this.#info ? liveSessionInfo(this.#info, this.#transcript, status) : this.#info;
    return { session: live, status, connection, error: this.#streamError };
  }

  #status(): SessionStatus {
    if (!this.#isCaughtUp) return this.#info?.status ?? this.#transcript.status;
    const { status } = this.#transcript;
    if (status !== "idle") return status;
    return this.#outbox.state.queued.length > 0 || waitsForSandbox(this.#info) ? "running" : status;
  }
}

/** Of a message that waits for its sandbox nothing is in the log yet, whoever sent it. */
function waitsForSandbox(info: SessionInfo | undefined): boolean {
  return info?.runtime?.sandbox?.status === "starting" && (info.queuedTurns ?? 0) > 0;
}
