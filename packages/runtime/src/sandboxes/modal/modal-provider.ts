import { HostedSandbox } from "../hosted/hosted-sandbox.ts";
import { isProviderError } from "../hosted/provider-error.ts";
import type {
  ProviderCheck,
  Sandbox,
  SandboxCapabilities,
  SandboxProvider,
  SandboxSpec,
  SandboxSummary,
} from "../sandbox-provider.ts";
import { checkModal } from "./check-modal.ts";
import { createMachine } from "./create-machine.ts";
import { labelsOf, listedTag } from "./labels.ts";
import { ModalClient } from "./modal-client.ts";
import { modalError } from "./modal-error.ts";
import { ModalMachine } from "./modal-machine.ts";
import type { ModalSettings } from "./modal-settings.ts";

export interface ModalProviderOptions extends ModalSettings {
  /** For what is packed before it is uploaded; made when it is missing. */
  readonly directory: string;
}

/** Sandboxes at Modal, by its own SDK. */
export function createModalProvider(options: ModalProviderOptions): SandboxProvider {
  return new ModalProvider(options);
}

class ModalProvider implements SandboxProvider {
  readonly name = "modal";
  readonly can: SandboxCapabilities;
  readonly hasPrograms: boolean;
  readonly #options: ModalProviderOptions;
  readonly #client: ModalClient;

  constructor(options: ModalProviderOptions) {
    this.#options = options;
    this.#client = new ModalClient(options);
    this.hasPrograms = options.programs === "image";
    this.can = { suspend: false, snapshot: false, extend: false, network: true, isolation: options.user !== 0 };
  }

  check(): Promise<readonly ProviderCheck[]> {
    return checkModal(this.#client, this.#options);
  }

  async create(spec: SandboxSpec, signal?: AbortSignal): Promise<Sandbox> {
    const { root, programs, directory } = this.#options;
    const machine = await createMachine(spec, { client: this.#client, settings: this.#options, signal });
    return HostedSandbox.create(machine, { spec, root, programs, directory, signal });
  }

  async attach(id: string): Promise<Sandbox | undefined> {
    if (!/^sb-[\w-]{1,64}$/.test(id) || (await this.#client.exitCode(id)) !== null) return undefined;
    const machine = new ModalMachine(id, { client: this.#client, settings: this.#options });
    return HostedSandbox.of(machine, { root: this.#options.root });
  }

  /** Those that end while they are looked at are left out. */
  async *list(label: { readonly key: string; readonly value: string }): AsyncIterable<SandboxSummary> {
    for await (const sandbox of this.#client.list(listedTag(label))) {
      const tags = await this.#client
        .again(() => sandbox.getTags())
        .catch((error: unknown) => {
          if (isProviderError(modalError(error), "not_found")) return {};
          throw error;
        });
      const found = labelsOf(tags);
      if (found?.labels[label.key] === label.value) yield { id: sandbox.sandboxId, ...found };
    }
  }

  /** The SDK's connections hold up nothing. */
  async dispose(): Promise<void> {}
}
