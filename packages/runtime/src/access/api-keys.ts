import { createHash, randomBytes } from "node:crypto";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { RuntimeStore, StoredKey } from "../store/runtime-store.ts";
import type { Principal, Scope } from "./principal.ts";

export interface NewKey {
  readonly id: string;
  /** Shown once: the store has only its hash. */
  readonly key: string;
  readonly principal: string;
  readonly scope: Scope;
  readonly requestsPerMinute?: number | undefined;
}

export interface KeyRequest {
  readonly name: string;
  readonly principal?: string | undefined;
  readonly scope?: Scope | undefined;
  /** Requests beyond it are refused. Default: no limit. */
  readonly requestsPerMinute?: number | undefined;
  /** Instead of a random one. */
  readonly key?: string | undefined;
}

const prefix = "sak_";
const shortestKey = 16;
/** A key that another process revokes is refused after so long. */
const knownForMs = 1_000;
const maxKnown = 1_000;

/** The keys with which clients come in. */
export class ApiKeys {
  readonly #store: RuntimeStore;
  readonly #known = new Map<string, Known<Principal>>();
  readonly #ids = new Map<string, Known<boolean>>();

  constructor(store: RuntimeStore) {
    this.#store = store;
  }

  async create(request: KeyRequest): Promise<NewKey> {
    const { name, principal = name, scope = "write", key = randomKey(), requestsPerMinute } = request;
    if (principal === "") throw new SandboxError("invalid_request", "A principal needs a name.");
    if (key.length < shortestKey) {
      throw new SandboxError("invalid_request", `An API key has at least ${shortestKey} characters.`);
    }
    const id = `key_${randomBytes(6).toString("base64url")}`;
    const limit = requestsPerMinute === undefined ? {} : { requestsPerMinute };
    await this.#store.putKey({ keyId: id, name, principal, scope, hash: hashOf(key), createdAt: Date.now(), ...limit });
    return { id, key, principal, scope, ...limit };
  }

  list(): Promise<readonly StoredKey[]> {
    return this.#store.keys();
  }

  async revoke(keyId: string): Promise<void> {
    const isDeleted = await this.#store.deleteKey(keyId);
    this.#known.clear();
    this.#ids.clear();
    if (isDeleted) return;
    throw new SandboxError("not_found", `There is no key "${keyId}". \`runtime keys list\` shows all of them.`);
  }

  /** Who this key belongs to. */
  async principalOf(key: string | undefined): Promise<Principal> {
    if (key === undefined) {
      throw new SandboxError(
        "token_invalid",
        "This runtime needs an API key. Send it as `Authorization: Bearer <key>`.",
      );
    }
    const hash = hashOf(key);
    const known = recent(this.#known, hash);
    if (known) return known;
    const found = await this.#store.keyByHash(hash);
    if (!found) {
      throw new SandboxError("token_invalid", "The API key is wrong or was revoked. Use one of `runtime keys create`.");
    }
    const { keyId, principal, scope, requestsPerMinute } = found;
    return remember(this.#known, hash, { principal, scope, keyId, requestsPerMinute });
  }

  /** Whether a key of this id is there. */
  async isKnown(keyId: string): Promise<boolean> {
    return recent(this.#ids, keyId) ?? remember(this.#ids, keyId, (await this.#store.key(keyId)) !== undefined);
  }
}

interface Known<T> {
  readonly value: T;
  readonly until: number;
}

function recent<T>(known: ReadonlyMap<string, Known<T>>, name: string): T | undefined {
  const found = known.get(name);
  return found && found.until > Date.now() ? found.value : undefined;
}

function remember<T>(known: Map<string, Known<T>>, name: string, value: T): T {
  if (known.size >= maxKnown) known.clear();
  known.set(name, { value, until: Date.now() + knownForMs });
  return value;
}

function randomKey(): string {
  return prefix + randomBytes(24).toString("base64url");
}

/** Keys are random and long, so that a plain hash cannot be guessed back. */
function hashOf(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}
