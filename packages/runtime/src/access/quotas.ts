import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { AccessStore, StoredUsage } from "../store/access-store.ts";

/** How much a principal may have at a time; absent: as much as it likes. */
export interface Quota {
  readonly sessions?: number | undefined;
  /** Turns that wait or run. */
  readonly turns?: number | undefined;
  readonly sandboxes?: number | undefined;
  /** About the bytes that the logs of its sessions take. */
  readonly storageBytes?: number | undefined;
}

export interface QuotaOptions {
  /** For everybody who has none of its own. */
  readonly default?: Quota | undefined;
  readonly principals?: Readonly<Record<string, Quota>> | undefined;
}

/**
 * Holds principals to what they may have. Counted in the store, one at a time for each principal, so that it is exact in one
 * process; processes that share a store may together let in what comes at the same moment.
 */
export class Quotas {
  readonly #store: AccessStore;
  readonly #options: QuotaOptions;
  readonly #queues = new Map<string, Promise<unknown>>();
  /** Sessions by principal whose sandbox is being made. */
  readonly #starting = new Map<string, Set<string>>();

  constructor(store: AccessStore, options: QuotaOptions = {}) {
    this.#store = store;
    this.#options = options;
  }

  of(principal: string): Quota {
    const { principals = {}, default: common = {} } = this.#options;
    return { ...common, ...(Object.hasOwn(principals, principal) ? principals[principal] : {}) };
  }

  usage(principal: string): Promise<StoredUsage> {
    return this.#store.usage(principal);
  }

  /** Make a session, if one more is allowed. */
  session<T>(principal: string, make: () => Promise<T>): Promise<T> {
    const { sessions, storageBytes } = this.of(principal);
    if (sessions === undefined && storageBytes === undefined) return make();
    return this.#alone(principal, async () => {
      const used = await this.#store.usage(principal);
      refuseStorage(principal, used, storageBytes);
      if (used.sessions >= (sessions ?? Number.POSITIVE_INFINITY)) {
        throw enough(
          `${principal} has ${used.sessions} sessions and may have ${sessions}. Delete one that is not needed.`,
        );
      }
      return make();
    });
  }

  /** Take a message of a session; `isKnown` says whether it was taken before, which is never refused. */
  turn<T>(owner: string, sessionId: string, isKnown: () => Promise<boolean>, take: () => Promise<T>): Promise<T> {
    const { turns, sandboxes, storageBytes } = this.of(owner);
    if (turns === undefined && sandboxes === undefined && storageBytes === undefined) return take();
    return this.#alone(owner, async () => {
      const used = await this.#store.usage(owner);
      try {
        refuseStorage(owner, used, storageBytes);
        if (used.turns >= (turns ?? Number.POSITIVE_INFINITY)) {
          throw later(
            `${owner} has ${used.turns} turns that wait or run, and may have ${turns}. Try again when one ends.`,
          );
        }
        this.#refuseSandbox(owner, sessionId, used);
      } catch (error) {
        if (!(await isKnown())) throw error;
      }
      return take();
    });
  }

  /** Make a session's sandbox, if one more is allowed. */
  async sandbox<T>(owner: string, sessionId: string, make: () => Promise<T>): Promise<T> {
    if (this.of(owner).sandboxes === undefined) return make();
    const starting = this.#starting.get(owner) ?? new Set<string>();
    this.#starting.set(owner, starting);
    await this.#alone(owner, async () => {
      this.#refuseSandbox(owner, sessionId, await this.#store.usage(owner));
      starting.add(sessionId);
    });
    try {
      return await make();
    } finally {
      starting.delete(sessionId);
    }
  }

  #refuseSandbox(owner: string, sessionId: string, { sandboxes }: StoredUsage): void {
    const limit = this.of(owner).sandboxes;
    const others = new Set([...sandboxes, ...(this.#starting.get(owner) ?? [])]);
    others.delete(sessionId);
    if (limit === undefined || others.size < limit) return;
    const sentence = `${owner} has ${others.size} sandboxes and may have ${limit}. End one, or unload a session that has one.`;
    throw later(sentence);
  }

  #alone<T>(principal: string, work: () => Promise<T>): Promise<T> {
    const before = this.#queues.get(principal) ?? Promise.resolve();
    const done = before.then(work, work);
    this.#queues.set(principal, done);
    const leave = () => {
      if (this.#queues.get(principal) === done) this.#queues.delete(principal);
    };
    done.then(leave, leave);
    return done;
  }
}

function refuseStorage(principal: string, { storageBytes }: StoredUsage, limit = Number.POSITIVE_INFINITY): void {
  if (storageBytes < limit) return;
  throw enough(`The sessions of ${principal} take ${storageBytes} bytes and may take ${limit}. Delete some of them.`);
}

/** Waiting does not help. */
function enough(sentence: string): SandboxError {
  return new SandboxError("permission_denied", sentence);
}

function later(sentence: string): SandboxError {
  return new SandboxError("too_many_requests", sentence);
}
