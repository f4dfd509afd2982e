import { HostedSandbox } from "../hosted/hosted-sandbox.ts";
import type {
  ProviderCheck,
  Sandbox,
  SandboxCapabilities,
  SandboxProvider,
  SandboxSpec,
  SandboxSummary,
} from "../sandbox-provider.ts";
import { checkVercel } from "./check-vercel.ts";
import { createMachine } from "./create-machine.ts";
import { summaryOf, tagOf } from "./tags.ts";
import { VercelClient } from "./vercel-client.ts";
import { VercelMachine } from "./vercel-machine.ts";
import type { VercelSettings } from "./vercel-settings.ts";

export interface VercelProviderOptions extends VercelSettings {
  /** For what is packed before it is uploaded; made when it is missing. */
  readonly directory: string;
}

/** Sandboxes at Vercel, by its own SDK. */
export function createVercelProvider(options: VercelProviderOptions): SandboxProvider {
  return new VercelProvider(options);
}

class VercelProvider implements SandboxProvider {
  readonly name = "vercel";
  readonly can: SandboxCapabilities = {
    suspend: "disk",
    snapshot: false,
    extend: true,
    network: true,
    isolation: true,
  };
  readonly hasPrograms: boolean;
  readonly #options: VercelProviderOptions;
  readonly #client: VercelClient;

  constructor(options: VercelProviderOptions) {
    this.#options = options;
    this.#client = new VercelClient(options);
    this.hasPrograms = options.programs === "image";
  }

  check(): Promise<readonly ProviderCheck[]> {
    return checkVercel(this.#client, this.#options);
  }

  async create(spec: SandboxSpec, signal?: AbortSignal): Promise<Sandbox> {
    const { root, programs, directory } = this.#options;
    const machine = await createMachine(spec, { client: this.#client, settings: this.#options, signal });
    return HostedSandbox.create(machine, { spec, root, programs, directory, signal });
  }

  async attach(id: string): Promise<Sandbox | undefined> {
    if (!/^[a-z0-9][a-z0-9-]{2,62}$/.test(id) || (await this.#client.find(id)) === undefined) return undefined;
    return HostedSandbox.of(new VercelMachine(id, this.#client), { root: this.#options.root });
  }

  async *list(label: { readonly key: string; readonly value: string }): AsyncIterable<SandboxSummary> {
    for await (const listed of this.#client.list(tagOf(label))) {
      const summary = summaryOf(listed);
      if (summary?.labels[label.key] === label.value) yield summary;
    }
  }

  /** The SDK's connections hold up nothing. */
  async dispose(): Promise<void> {}
}
