import { HostedSandbox } from "../hosted/hosted-sandbox.ts";
import type {
  ProviderCheck,
  Sandbox,
  SandboxCapabilities,
  SandboxProvider,
  SandboxSpec,
  SandboxSummary,
} from "../sandbox-provider.ts";
import { checkE2b } from "./check-e2b.ts";
import { createMachine } from "./create-machine.ts";
import { E2bClient } from "./e2b-client.ts";
import { E2bMachine } from "./e2b-machine.ts";
import type { E2bSettings } from "./e2b-settings.ts";
import { labelsOf } from "./metadata.ts";

export interface E2bProviderOptions extends E2bSettings {
  /** For what is packed before it is uploaded; made when it is missing. */
  readonly directory: string;
}

/** Sandboxes at E2B, by its own SDK. */
export function createE2bProvider(options: E2bProviderOptions): SandboxProvider {
  return new E2bProvider(options);
}

class E2bProvider implements SandboxProvider {
  readonly name = "e2b";
  readonly can: SandboxCapabilities;
  readonly hasPrograms: boolean;
  readonly #options: E2bProviderOptions;
  readonly #client: E2bClient;

  constructor(options: E2bProviderOptions) {
    this.#options = options;
    this.#client = new E2bClient(options);
    this.hasPrograms = options.programs === "image";
    this.can = { suspend: options.suspend, snapshot: false, extend: true, network: true, isolation: true };
  }

  check(): Promise<readonly ProviderCheck[]> {
    return checkE2b(this.#client, this.#options);
  }

  async create(spec: SandboxSpec, signal?: AbortSignal): Promise<Sandbox> {
    const { root, programs, directory } = this.#options;
    const machine = await createMachine(spec, { client: this.#client, settings: this.#options, signal });
    return HostedSandbox.create(machine, { spec, root, programs, directory, signal });
  }

  async attach(id: string): Promise<Sandbox | undefined> {
    if (!/^[a-z0-9]{8,64}$/.test(id) || (await this.#client.find(id)) === undefined) return undefined;
    const machine = new E2bMachine(id, { client: this.#client, settings: this.#options });
    return HostedSandbox.of(machine, { root: this.#options.root });
  }

  async *list({ key, value }: { readonly key: string; readonly value: string }): AsyncIterable<SandboxSummary> {
    for await (const { sandboxId, metadata, startedAt } of this.#client.list({ [key]: value }))
      yield { id: sandboxId, ...labelsOf(metadata, startedAt) };
  }

  /** The SDK's connections hold up nothing. */
  async dispose(): Promise<void> {}
}
