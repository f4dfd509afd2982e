import type {
  CreateSandboxBaseParams,
  CreateSandboxFromSnapshotParams,
  Daytona,
  Sandbox as DaytonaSandbox,
  Resources,
} from "@daytona/sdk";
import { importSdk } from "../hosted/import-sdk.ts";
import { isProviderError } from "../hosted/provider-error.ts";
import { retrying } from "../hosted/retrying.ts";
import { daytonaError } from "./daytona-error.ts";
import type { DaytonaSettings } from "./daytona-settings.ts";

export type { DaytonaSandbox };
export type NewDaytonaSandbox =
  | CreateSandboxFromSnapshotParams
  | (CreateSandboxBaseParams & { readonly image: string; readonly resources: Resources });

export interface ListedSandbox extends Pick<DaytonaSandbox, "id" | "labels"> {
  readonly createdAt: string | undefined;
}

type Sdk = Pick<typeof import("@daytona/sdk"), "Image"> & { readonly daytona: Daytona };
type Account = Pick<DaytonaSettings, "apiKey" | "apiUrl" | "target">;

const requestTimeoutMs = 30_000;
/** What an image begins with by itself may be a daemon of ours, which nobody knows the token of. */
const entrypoint = ["sleep", "infinity"];
/** For what waits until another change of the same sandbox is done. */
const changeAttempts = 20;

/**
 * Daytona's API by its own SDK. What may be asked twice is asked again when Daytona does not answer for the moment; every
 * failure is a `SandboxProviderError`.
 */
export class DaytonaClient {
  readonly #account: Account;
  #loaded: Promise<Sdk> | undefined;

  constructor({ apiKey, apiUrl, target }: Account) {
    this.#account = { apiKey, apiUrl, target };
  }

  /** Once: it may have been made where no answer came. Resolves when it runs. */
  create(wished: NewDaytonaSandbox, timeoutMs: number): Promise<DaytonaSandbox> {
    return this.#call(async ({ daytona, Image }) => {
      const image = "image" in wished ? { image: Image.base(wished.image).entrypoint(entrypoint) } : {};
      return checked(await daytona.create({ ...wished, ...image }, { timeout: timeoutMs / 1_000 }));
    });
  }

  /** By its id or its name; undefined where there is none. Does not wake it. */
  async find(idOrName: string, attempts?: number): Promise<DaytonaSandbox | undefined> {
    const get = () => this.#call(async ({ daytona }) => checked(await daytona.get(idOrName)));
    try {
      const found = await retrying(get, { attempts });
      return isEnding(found.state) ? undefined : found;
    } catch (error) {
      if (isProviderError(error, "not_found")) return undefined;
      throw error;
    }
  }

  /** All with these labels, in whatever state. */
  list(labels: Readonly<Record<string, string>>): Promise<readonly ListedSandbox[]> {
    return this.again(async ({ daytona }) => {
      const found: ListedSandbox[] = [];
      for await (const { id, labels: all, createdAt, state } of daytona.list({ labels: { ...labels } }))
        if (!isEnding(state)) found.push({ id, labels: all, createdAt });
      return found;
    });
  }

  /** What may be asked twice. */
  again<T>(work: (sdk: Sdk) => Promise<T>): Promise<T> {
    return retrying(() => this.#call(work));
  }

  /** What may be done twice only where it was refused. */
  once<T>(work: () => Promise<T>): Promise<T> {
    return retrying(() => this.#call(work), { creates: true });
  }

  /**
   * What is done with a sandbox; tried again until what else is being done with it is over. `work` looks anew each time,
   * once.
   */
  change<T>(work: () => Promise<T>): Promise<T> {
    return retrying(() => this.#call(work), { attempts: changeAttempts });
  }

  async close(): Promise<void> {
    const loaded = await this.#loaded?.catch(() => undefined);
    await loaded?.daytona[Symbol.asyncDispose]();
  }

  async #call<T>(call: (sdk: Sdk) => Promise<T>): Promise<T> {
    this.#loaded ??= this.#load();
    try {
      return await call(await this.#loaded);
    } catch (error) {
      throw daytonaError(error);
    }
  }

  async #load(): Promise<Sdk> {
    const sdk = await importSdk("@daytona/sdk", () => import("@daytona/sdk"), ">=0.216 <1");
    // Else it keeps a connection open to be told of changes, and asks once a second all the same.
    const { target, ...account } = this.#account;
    const region = target === undefined ? {} : { target };
    const daytona = new sdk.Daytona({ ...account, ...region, requestTimeoutMs, useDeprecatedPolling: true });
    return { daytona, Image: sdk.Image };
  }
}

const isEnding = (state: DaytonaSandbox["state"]) => state === "destroyed" || state === "destroying";

/** A page that somebody else answered is taken for a sandbox by the SDK. */
function checked(sandbox: DaytonaSandbox): DaytonaSandbox {
  if (typeof sandbox.id !== "string") throw new TypeError("It is no sandbox.");
  return sandbox;
}
