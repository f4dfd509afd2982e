import { HostedSandbox } from "../hosted/hosted-sandbox.ts";
import type {
  ProviderCheck,
  Sandbox,
  SandboxCapabilities,
  SandboxProvider,
  SandboxSpec,
  SandboxSummary,
} from "../sandbox-provider.ts";
import { checkDaytona } from "./check-daytona.ts";
import { createMachine } from "./create-machine.ts";
import { DaytonaClient } from "./daytona-client.ts";
import { DaytonaMachine } from "./daytona-machine.ts";
import type { DaytonaSettings } from "./daytona-settings.ts";

export interface DaytonaProviderOptions extends DaytonaSettings {
  /** For what is packed before it is uploaded; made when it is missing. */
  readonly directory: string;
}

/** Sandboxes at Daytona, by its own SDK. */
export function createDaytonaProvider(options: DaytonaProviderOptions): SandboxProvider {
  return new DaytonaProvider(options);
}

/** The SDK's own, which it puts on each. */
const languageLabel = "code-toolbox-language";

class DaytonaProvider implements SandboxProvider {
  readonly name = "daytona";
  readonly can: SandboxCapabilities;
  readonly hasPrograms: boolean;
  readonly #options: DaytonaProviderOptions;
  readonly #client: DaytonaClient;

  constructor(options: DaytonaProviderOptions) {
    this.#options = options;
    this.#client = new DaytonaClient(options);
    this.hasPrograms = options.programs === "image";
    this.can = { suspend: "disk", snapshot: false, extend: options.lifeMs > 0, network: true, isolation: true };
  }

  check(): Promise<readonly ProviderCheck[]> {
    return checkDaytona(this.#client, this.#options);
  }

  async create(spec: SandboxSpec, signal?: AbortSignal): Promise<Sandbox> {
    const { root, programs, directory } = this.#options;
    const machine = await createMachine(spec, { client: this.#client, settings: this.#options, signal });
    return HostedSandbox.create(machine, { spec, root, programs, directory, signal });
  }

  /** By its id alone: names are others' business. */
  async attach(id: string): Promise<Sandbox | undefined> {
    if (!/^[\w-]{8,64}$/.test(id)) return undefined;
    const found = await this.#client.find(id);
    if (found?.id !== id) return undefined;
    return HostedSandbox.of(new DaytonaMachine(this.#client, id, found), { root: this.#options.root });
  }

  async *list({ key, value }: { readonly key: string; readonly value: string }): AsyncIterable<SandboxSummary> {
    for (const { id, labels: all, createdAt } of await this.#client.list({ [key]: value })) {
      const { [languageLabel]: _, ...labels } = all;
      yield { id, labels, createdAt: createdAt === undefined ? Date.now() : Date.parse(createdAt) };
    }
  }

  dispose(): Promise<void> {
    return this.#client.close();
  }
}
