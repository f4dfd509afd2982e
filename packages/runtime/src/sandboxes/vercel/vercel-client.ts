import { setTimeout as delay } from "node:timers/promises";
import type { Session, Sandbox as VercelSandbox } from "@vercel/sandbox";
import { importSdk } from "../hosted/import-sdk.ts";
import { isProviderError } from "../hosted/provider-error.ts";
import { retrying } from "../hosted/retrying.ts";
import { SandboxProviderError } from "../sandbox-provider.ts";
import type { VercelAccount } from "./vercel-account.ts";
import { StoppingError, vercelError } from "./vercel-error.ts";
import { vercelFetch } from "./vercel-fetch.ts";

export type { Session, VercelSandbox };

type SandboxClass = typeof VercelSandbox;
export type NewSandbox = NonNullable<Parameters<SandboxClass["create"]>[0]>;
export type ListedSandbox = Awaited<ReturnType<SandboxClass["list"]>>["sandboxes"][number];

const answerMs = 60_000;
/** A machine that is being stopped can be used again when its disk is saved. */
const stoppingMs = 2 * 60_000;
const lookEveryMs = 500;

export interface VercelClientOptions {
  readonly account: VercelAccount;
  readonly apiUrl?: string | undefined;
}

export interface SessionCallOptions {
  /** For each attempt. */
  readonly withinMs?: number | undefined;
  readonly isRepeatable?: boolean | undefined;
}

/**
 * Vercel's API by its own SDK. What may be asked twice is asked again when Vercel does not answer for the moment; every failure
 * is a `SandboxProviderError`. Nothing but `resume` wakes a sandbox: what the SDK does for a sandbox would, what it does for a
 * session does not.
 */
export class VercelClient {
  readonly #common: VercelAccount & { readonly fetch: typeof fetch };
  #sandboxes: Promise<SandboxClass> | undefined;

  constructor({ account, apiUrl }: VercelClientOptions) {
    this.#common = { ...account, fetch: vercelFetch(apiUrl) };
  }

  /** Once: it may have been made where no answer came. */
  create(wished: NewSandbox, signal: AbortSignal): Promise<VercelSandbox> {
    return this.#call((sandboxes) => sandboxes.create({ ...wished, ...this.#common, signal } as NewSandbox));
  }

  /** Undefined where there is none. */
  async find(name: string): Promise<VercelSandbox | undefined> {
    try {
      return await this.#again((sandboxes, signal) => sandboxes.get({ name, resume: false, ...this.#common, signal }));
    } catch (error) {
      if (isProviderError(error, "not_found")) return undefined;
      throw error;
    }
  }

  /** A new session of what was kept, unless one runs. */
  resume(name: string): Promise<VercelSandbox> {
    return afterStopping(() =>
      this.#again((sandboxes, signal) => sandboxes.get({ name, resume: true, ...this.#common, signal })),
    );
  }

  /** All with this tag, running and stopped; page by page. */
  async *list({ key, value }: { readonly key: string; readonly value: string }): AsyncGenerator<ListedSandbox> {
    let cursor: string | undefined;
    do {
      const from = cursor === undefined ? {} : { cursor };
      const { sandboxes, pagination } = await this.#again((all, signal) =>
        all.list({ tags: { [key]: value } as Record<string, never>, ...from, ...this.#common, signal }),
      );
      yield* sandboxes;
      cursor = pagination.next ?? undefined;
    } while (cursor !== undefined);
  }

  /** For good, with what was kept of it; succeeds where there is none. */
  async destroy(name: string): Promise<void> {
    const found = await this.find(name);
    if (found === undefined) return;
    try {
      await afterStopping(() => this.#again((_, signal) => found.delete({ deleteOrphanSnapshots: true, signal })));
    } catch (error) {
      if (!isProviderError(error, "not_found")) throw error;
    }
  }

  /**
   * What is done in a session, or to it; rejects with `stopped` where it has ended. What Vercel refused for the moment is tried
   * again, and what may have been done is, too, where that does no harm.
   */
  inSession<T>(
    session: Session,
    work: (session: Session, signal: AbortSignal) => Promise<T>,
    { withinMs = answerMs, isRepeatable = false }: SessionCallOptions = {},
  ): Promise<T> {
    const attempt = () => this.#call(() => within(withinMs, (signal) => work(session, signal)));
    return retrying(attempt, { creates: !isRepeatable });
  }

  #again<T>(call: (sandboxes: SandboxClass, signal: AbortSignal) => Promise<T>): Promise<T> {
    return retrying(() => this.#call((sandboxes) => within(answerMs, (signal) => call(sandboxes, signal))));
  }

  async #call<T>(call: (sandboxes: SandboxClass) => Promise<T>): Promise<T> {
    this.#sandboxes ??= importSdk("@vercel/sandbox", () => import("@vercel/sandbox"), "^3.5.0").then(
      ({ Sandbox }) => Sandbox,
    );
    try {
      return await call(await this.#sandboxes);
    } catch (error) {
      throw vercelError(error);
    }
  }
}

/** Its timer holds the process: a `fetch` of Node may never settle, and hold nothing. */
async function within<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const limit = new AbortController();
  const late = new SandboxProviderError("timeout", `Vercel did not answer within ${Math.ceil(ms / 1000)} seconds.`);
  const timer = setTimeout(() => limit.abort(late), ms);
  try {
    return await work(limit.signal);
  } finally {
    clearTimeout(timer);
  }
}

async function afterStopping<T>(work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + stoppingMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoppingError) || performance.now() > deadline) throw error;
    }
    await delay(lookEveryMs);
  }
}
