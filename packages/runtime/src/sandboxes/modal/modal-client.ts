import { AsyncLocalStorage } from "node:async_hooks";
import type { App, Image, ModalClientParams, ModalClient as ModalSdk, Sandbox, SandboxCreateParams } from "modal";
import { importSdk } from "../hosted/import-sdk.ts";
import { isProviderError } from "../hosted/provider-error.ts";
import { retrying } from "../hosted/retrying.ts";
import { modalError, noteRetryAfter } from "./modal-error.ts";
import type { ModalSettings } from "./modal-settings.ts";

export type { Sandbox as ModalSandbox, SandboxCreateParams };

type Account = Pick<ModalSettings, "tokenId" | "tokenSecret" | "serverUrl" | "environment" | "app" | "registrySecret">;
type Middleware = NonNullable<ModalClientParams["grpcMiddleware"]>[number];

/** Of any call but a creation, which ends when nobody wants it any more. */
const callTimeoutMs = 30_000;
const serverVariable = "MODAL_SERVER_URL";
/** An image's own program would be started in the place of Modal's; and whoever its user is, only root can prepare it. */
const neutral = ["ENTRYPOINT []", "USER root"];
const silent = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * Modal's API by its own SDK. What may be asked twice is asked again when Modal does not answer for the moment; every failure is
 * a `SandboxProviderError`.
 */
export class ModalClient {
  readonly #account: Account;
  readonly #signals = new AsyncLocalStorage<AbortSignal | undefined>();
  #sdk: Promise<ModalSdk> | undefined;
  #app: Promise<App> | undefined;
  readonly #images = new Map<string, Promise<Image>>();

  constructor(account: Account) {
    this.#account = account;
  }

  /** Once: it may have been made where no answer came. Its image is built before, where Modal has not got it. */
  create(image: string, params: SandboxCreateParams, signal: AbortSignal): Promise<Sandbox> {
    return this.#signals.run(signal, async () => {
      try {
        return await this.#call(async (sdk) =>
          sdk.sandboxes.create(await this.#appOf(sdk), await this.#imageOf(sdk, image), params),
        );
      } catch (error) {
        // The app or the image may have been removed since.
        if (isProviderError(error, "not_found")) this.#forget();
        throw error;
      }
    });
  }

  /** Asks nobody: whether it is there is said by `exitCode`. */
  handle(id: string): Promise<Sandbox> {
    return this.#call((sdk) => sdk.sandboxes.fromId(id));
  }

  /** Null while it runs, undefined where there is none. */
  async exitCode(id: string): Promise<number | null | undefined> {
    try {
      return await this.again(async (sdk) => (await sdk.sandboxes.fromId(id)).poll());
    } catch (error) {
      if (isProviderError(error, "not_found")) return undefined;
      throw error;
    }
  }

  /** Of those that run the one with this name. */
  async named(name: string): Promise<Sandbox | undefined> {
    try {
      return await this.again((sdk) => sdk.sandboxes.fromName(this.#account.app, name));
    } catch (error) {
      if (isProviderError(error, "not_found")) return undefined;
      throw error;
    }
  }

  /** Those that run and have all of these tags. */
  async *list(tags: Readonly<Record<string, string>>): AsyncGenerator<Sandbox> {
    const pages = await this.again(async (sdk) => {
      const { appId } = await this.#appOf(sdk);
      return sdk.sandboxes.list({ appId, tags: { ...tags } });
    });
    for (;;) {
      // Not asked again: a generator that has thrown is at its end.
      const { done, value } = await this.#call(() => pages.next());
      if (done) return;
      yield value;
    }
  }

  /** What may be done twice. */
  again<T>(work: (sdk: ModalSdk) => Promise<T>): Promise<T> {
    return retrying(() => this.#call(work));
  }

  async #call<T>(work: (sdk: ModalSdk) => Promise<T>): Promise<T> {
    this.#sdk ??= this.#load();
    try {
      return await work(await this.#sdk);
    } catch (error) {
      throw modalError(error);
    }
  }

  #appOf(sdk: ModalSdk): Promise<App> {
    this.#app ??= sdk.apps.fromName(this.#account.app, { createIfMissing: true });
    this.#app.catch(() => this.#forget());
    return this.#app;
  }

  #imageOf(sdk: ModalSdk, name: string): Promise<Image> {
    const known = this.#images.get(name);
    if (known) return known;
    const image = this.#findImage(sdk, name);
    this.#images.set(name, image);
    image.catch(() => this.#images.delete(name));
    return image;
  }

  async #findImage(sdk: ModalSdk, name: string): Promise<Image> {
    const { registrySecret } = this.#account;
    if (name.startsWith("im-")) return sdk.images.fromId(name);
    const secret = registrySecret === undefined ? undefined : await sdk.secrets.fromName(registrySecret);
    return sdk.images.fromRegistry(name, secret).dockerfileCommands([...neutral]);
  }

  #forget(): void {
    this.#app = undefined;
    this.#images.clear();
  }

  async #load(): Promise<ModalSdk> {
    const { ModalClient: Sdk } = await importSdk("modal", () => import("modal"), "^0.11.1");
    const { tokenId, tokenSecret, environment, serverUrl } = this.#account;
    const make = () =>
      new Sdk({
        tokenId,
        tokenSecret,
        logger: silent,
        grpcMiddleware: [this.#middleware()],
        ...(environment === undefined ? {} : { environment }),
      });
    return serverUrl === undefined ? make() : withVariable(serverVariable, serverUrl, make);
  }

  /** Around the SDK's own: it asks once, gives up in time, and knows how long Modal wants to be left alone. */
  #middleware(): Middleware {
    const signals = this.#signals;
    return async function* middleware(call, options) {
      let details: Uint8Array | undefined;
      const isStream = call.requestStream || call.responseStream;
      // Many wait for one token: it is not given up with one of them.
      const signal = call.method.path.endsWith("/AuthTokenGet") ? undefined : signals.getStore();
      const limits = isStream || signal ? {} : { timeoutMs: callTimeoutMs };
      try {
        return yield* call.next(call.request, {
          ...limits,
          ...options,
          ...(signal ? { signal } : {}),
          ...({ retries: 0 } as object),
          onTrailer(trailer) {
            details = trailer.get("grpc-status-details-bin") as Uint8Array | undefined;
            options.onTrailer?.(trailer);
          },
        });
      } catch (error) {
        noteRetryAfter(error, details);
        throw error;
      }
    };
  }
}

/** The SDK reads its address nowhere else, while a client is made. */
function withVariable<T>(name: string, value: string, work: () => T): T {
  const before = process.env[name];
  process.env[name] = value;
  try {
    return work();
  } finally {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  }
}
