import type { E2BClientOpts, Sandbox as E2bSandbox, SandboxInfo, SandboxOpts } from "e2b";
import { importSdk } from "../hosted/import-sdk.ts";
import { isProviderError } from "../hosted/provider-error.ts";
import { retrying } from "../hosted/retrying.ts";
import { e2bError } from "./e2b-error.ts";
import type { E2bSettings } from "./e2b-settings.ts";

export type { E2bSandbox, SandboxInfo };

type Account = Pick<E2bSettings, "apiKey" | "domain" | "apiUrl" | "sandboxUrl">;
type SandboxClass = typeof E2bSandbox;

/** What its SDK is told of an account. */
export function connectionOf({ apiKey, domain, apiUrl, sandboxUrl }: Account): E2BClientOpts {
  return {
    apiKey,
    ...(domain === undefined ? {} : { domain }),
    ...(apiUrl === undefined ? {} : { apiUrl }),
    ...(sandboxUrl === undefined ? {} : { sandboxUrl }),
    // E2B_DEBUG would have it talk to a program on this machine instead.
    debug: false,
  };
}

/**
 * E2B's API by its own SDK, which waits by itself where it is told how long. What may be asked twice is asked again when E2B
 * does not answer for the moment; every failure is a `SandboxProviderError`.
 */
export class E2bClient {
  readonly #account: E2BClientOpts;
  #sandboxes: Promise<SandboxClass> | undefined;

  constructor(account: Account) {
    this.#account = connectionOf(account);
  }

  /** Once: it may have been made where no answer came. */
  create(template: string, options: SandboxOpts): Promise<E2bSandbox> {
    return this.#call((sandboxes) => sandboxes.create(template, options));
  }

  /** Undefined where there is none. Does not wake it. */
  async find(id: string): Promise<SandboxInfo | undefined> {
    try {
      return await this.#again((sandboxes) => sandboxes.getInfo(id));
    } catch (error) {
      if (isProviderError(error, "not_found")) return undefined;
      throw error;
    }
  }

  /** All with this metadata, running and paused; page by page. */
  async *list(metadata: Readonly<Record<string, string>>): AsyncGenerator<SandboxInfo> {
    const pages = await this.#call(async (sandboxes) => sandboxes.list({ query: { metadata: { ...metadata } } }));
    while (pages.hasNext) yield* await this.#again(() => pages.nextItems());
  }

  /** Wakes it. The end of one that runs is only ever put off by it. */
  connect(id: string, lifeMs: number): Promise<E2bSandbox> {
    return this.#again((sandboxes) => sandboxes.connect(id, { timeoutMs: lifeMs }));
  }

  pause(id: string, keepMemory: boolean): Promise<boolean> {
    return this.#again((sandboxes) => sandboxes.pause(id, { keepMemory }));
  }

  setTimeout(id: string, lifeMs: number): Promise<void> {
    return this.#again((sandboxes) => sandboxes.setTimeout(id, lifeMs));
  }

  /** For good; also one that is paused. */
  kill(id: string): Promise<boolean> {
    return this.#again((sandboxes) => sandboxes.kill(id));
  }

  #again<T>(call: (sandboxes: SandboxClass) => Promise<T>): Promise<T> {
    return retrying(() => this.#call(call));
  }

  async #call<T>(call: (sandboxes: SandboxClass) => Promise<T>): Promise<T> {
    this.#sandboxes ??= this.#load();
    try {
      return await call(await this.#sandboxes);
    } catch (error) {
      throw e2bError(error);
    }
  }

  async #load(): Promise<SandboxClass> {
    const { E2B } = await importSdk("e2b", () => import("e2b"), "^2.51.0");
    return new E2B(this.#account).Sandbox;
  }
}
