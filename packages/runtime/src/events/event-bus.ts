import type { BlockChange, SessionRuntimeState } from "@sandbox-agent-ts/protocol";

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
  /** The list of sessions is another one than before, for those who see the sessions of this principal. */
  "sessions:changed": { readonly owner: string };
}

type Listener<Name extends keyof DomainEvents> = (event: DomainEvents[Name]) => void;

/** Typed publish and subscribe. A listener that throws does not keep others from being told, nor the publisher from going on. */
export class EventBus {
  readonly #listeners = new Map<keyof DomainEvents, Set<Listener<never>>>();
  readonly #onFailure: (error: unknown) => void;

  constructor(onFailure: (error: unknown) => void = () => {}) {
    this.#onFailure = onFailure;
  }

  /** Answers how to stop listening. */
  on<Name extends keyof DomainEvents>(name: Name, listener: Listener<Name>): () => void {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  /** Whether anybody listens to one of these. */
  isHeard(names: readonly (keyof DomainEvents)[]): boolean {
    return names.some((name) => (this.#listeners.get(name)?.size ?? 0) > 0);
  }

  emit<Name extends keyof DomainEvents>(name: Name, event: DomainEvents[Name]): void {
    for (const listener of [...(this.#listeners.get(name) ?? [])] as Listener<Name>[]) {
      try {
        listener(event);
      } catch (error) {
        this.#onFailure(error);
      }
    }
  }
}
