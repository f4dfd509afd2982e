import type { BlockChange, FileNotice, SessionRuntimeState } from "@sandbox-agent-ts/protocol";

/** What happens to a block of a session, with the sequence of the event that did it. */
type BlockEvent<Type extends BlockChange["type"]> = { readonly sessionId: string; readonly sequence: number } & Omit<
  Extract<BlockChange, { type: Type }>,
  "type"
>;

/** Everything that a runtime tells those who embed it, by name. */
export interface DomainEvents {
  "session:created": { readonly sessionId: string };
  "session:deleted": { readonly sessionId: string };
  /** Whether a session is loaded and how its sandbox is, each time one of them changes. */
  "session:status": { readonly sessionId: string; readonly runtime: SessionRuntimeState };
  /** Events up to this sequence can be read. */
  "session:events": { readonly sessionId: string; readonly head: number };
  /** Blocks as they are written, of subagents under their own `conversationId`. Made only while somebody listens. */
  "session:block:start": BlockEvent<"start">;
  "session:block:delta": BlockEvent<"delta">;
  "session:block:update": BlockEvent<"update">;
  "session:block:complete": BlockEvent<"complete">;
  /** What happens to the files in the sandbox of a session, with directories and symlinks. Asked for only while somebody listens. */
  "session:file:created": FileNotice;
  "session:file:modified": FileNotice;
  "session:file:deleted": FileNotice;
  /** Changes of files are told from now on, or too many were not told: what is known of the files is to be read again. */
  "session:file:resync": { readonly sessionId: string };
  /** The list of sessions is another one than before, for those who see the sessions of this principal. */
  "sessions:changed": { readonly owner: string };
}

type Listener<Name extends keyof DomainEvents> = (event: DomainEvents[Name]) => void;

/** Typed publish and subscribe. A listener that throws does not keep others from being told, nor the publisher from going on. */
export class EventBus {
  /** By the event's name, behind which is the session where it is about one. */
  readonly #listeners = new Map<string, Set<Listener<never>>>();
  readonly #audiences = new Map<string, Set<() => void>>();
  readonly #onFailure: (error: unknown) => void;

  constructor(onFailure: (error: unknown) => void = () => {}) {
    this.#onFailure = onFailure;
  }

  /** Answers how to stop listening. With a session, only what is told of that one. */
  on<Name extends keyof DomainEvents>(name: Name, listener: Listener<Name>, sessionId?: string): () => void {
    const key = keyOf(name, sessionId);
    add(this.#listeners, key, listener as Listener<never>);
    this.#audienceChanged(sessionId);
    return () => {
      remove(this.#listeners, key, listener as Listener<never>);
      this.#audienceChanged(sessionId);
    };
  }

  /** Whether anybody listens to one of these, at least of this session. */
  isHeard(names: readonly (keyof DomainEvents)[], sessionId?: string): boolean {
    return names.some((name) => this.#listeners.has(name) || this.#listeners.has(keyOf(name, sessionId)));
  }

  /** Calls whenever somebody begins or stops to listen to what is told of this session. Answers how to end that. */
  onAudience(sessionId: string, changed: () => void): () => void {
    add(this.#audiences, sessionId, changed);
    return () => remove(this.#audiences, sessionId, changed);
  }

  #audienceChanged(sessionId: string | undefined): void {
    const audiences = sessionId === undefined ? [...this.#audiences.values()] : [this.#audiences.get(sessionId) ?? []];
    for (const audience of audiences) for (const changed of audience) changed();
  }

  emit<Name extends keyof DomainEvents>(name: Name, event: DomainEvents[Name]): void {
    const ofSession = "sessionId" in event ? this.#listeners.get(keyOf(name, event.sessionId)) : undefined;
    for (const listener of [...(this.#listeners.get(name) ?? []), ...(ofSession ?? [])] as Listener<Name>[]) {
      try {
        listener(event);
      } catch (error) {
        this.#onFailure(error);
      }
    }
  }
}

function keyOf(name: keyof DomainEvents, sessionId: string | undefined): string {
  return sessionId === undefined ? name : `${name} ${sessionId}`;
}

function add<T>(sets: Map<string, Set<T>>, key: string, value: T): void {
  const known = sets.get(key) ?? new Set();
  sets.set(key, known);
  known.add(value);
}

function remove<T>(sets: Map<string, Set<T>>, key: string, value: T): void {
  const known = sets.get(key);
  known?.delete(value);
  if (known?.size === 0) sets.delete(key);
}
