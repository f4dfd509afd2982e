import { HostedSandbox } from "../hosted/hosted-sandbox.ts";
import { isProviderError } from "../hosted/provider-error.ts";
import {
  type ProviderCheck,
  type Sandbox,
  type SandboxCapabilities,
  type SandboxProvider,
  SandboxProviderError,
  type SandboxSpec,
  type SandboxSummary,
} from "../sandbox-provider.ts";
import { checkKubernetes } from "./check-kubernetes.ts";
import { Cluster } from "./cluster.ts";
import { apiVersionOf, sandboxClaims, sandboxes } from "./kube-object.ts";
import { KubernetesMachine } from "./kubernetes-machine.ts";
import type { KubernetesSettings, Mode } from "./kubernetes-settings.ts";
import { selectorOf, summaryOf } from "./labels.ts";
import { isBeingRemoved } from "./machine-kind.ts";
import { kindOf, machineKinds, newId } from "./machine-kinds.ts";

export interface KubernetesProviderOptions extends KubernetesSettings {
  /** For what is packed before it is uploaded; made when it is missing. */
  readonly directory: string;
}

/** Sandboxes in a namespace of a cluster. With `mode: "auto"` the cluster is asked what it has. */
export async function createKubernetesProvider(options: KubernetesProviderOptions): Promise<SandboxProvider> {
  const cluster = new Cluster(options);
  const mode = options.mode === "auto" ? await bestMode(cluster, options) : options.mode;
  return new KubernetesProvider(cluster, { ...options, mode });
}

async function bestMode(cluster: Cluster, { warmPool }: KubernetesSettings): Promise<Mode> {
  const served = await cluster.served();
  if (warmPool !== undefined && served.includes(apiVersionOf(sandboxClaims))) return "claim";
  return served.includes(apiVersionOf(sandboxes)) ? "sandbox" : "pod";
}

class KubernetesProvider implements SandboxProvider {
  readonly name = "kubernetes";
  readonly can: SandboxCapabilities;
  readonly hasPrograms: boolean;
  readonly #cluster: Cluster;
  readonly #options: KubernetesProviderOptions & { readonly mode: Mode };

  constructor(cluster: Cluster, options: KubernetesProviderOptions & { readonly mode: Mode }) {
    this.#cluster = cluster;
    this.#options = options;
    this.hasPrograms = options.programs === "image";
    const suspend = options.mode === "sandbox" && options.volume === "claim" ? "disk" : false;
    this.can = { suspend, snapshot: false, extend: true, network: false, isolation: true };
  }

  check(): Promise<readonly ProviderCheck[]> {
    return checkKubernetes(this.#cluster, this.#options);
  }

  async create(spec: SandboxSpec, signal?: AbortSignal): Promise<Sandbox> {
    signal?.throwIfAborted();
    checkWishes(spec, this.#options.mode);
    const { mode, root, programs, directory, lifeMs } = this.#options;
    const kind = machineKinds[mode];
    const machine = this.#machine(newId(kind));
    const body = kind.body(machine.id, Date.now() + (spec.lifeMs ?? lifeMs), spec, this.#options);
    try {
      await this.#cluster.create(kind.resource, body, { signal });
      await machine.untilRunning(signal);
    } catch (error) {
      // Whoever sweeps finds by its label what cannot be removed now.
      await machine.destroy().catch(() => {});
      throw error;
    }
    return HostedSandbox.create(machine, { spec, root, programs, directory, signal });
  }

  async attach(id: string): Promise<Sandbox | undefined> {
    const kind = kindOf(id);
    if (kind === undefined) return undefined;
    const object = await this.#cluster.read(kind.resource, id);
    if (object === undefined || summaryOf(object) === undefined || isBeingRemoved(object)) return undefined;
    return HostedSandbox.of(this.#machine(id), { root: this.#options.root });
  }

  /** Also those that were made in another mode, where the cluster has them and the account may look. */
  async *list(label: { readonly key: string; readonly value: string }): AsyncIterable<SandboxSummary> {
    for (const { mode, resource } of Object.values(machineKinds)) {
      try {
        for await (const object of this.#cluster.list(resource, selectorOf(label))) {
          const summary =
            isBeingRemoved(object) || kindOf(object.metadata.name) === undefined ? undefined : summaryOf(object);
          if (summary?.labels[label.key] === label.value) yield summary;
        }
      } catch (error) {
        const isMissing = isProviderError(error, "unauthorized", "failed", "not_found");
        if (mode === this.#options.mode || !isMissing) throw error;
      }
    }
  }

  /** Connections hold up nothing. */
  async dispose(): Promise<void> {}

  #machine(id: string): KubernetesMachine {
    const canSuspend = this.can.suspend !== false && kindOf(id)?.suspended !== undefined;
    return new KubernetesMachine(id, { cluster: this.#cluster, settings: this.#options }, canSuspend);
  }
}

/** What is not had is refused rather than left out. */
function checkWishes({ network, image, cpus, memoryMiB }: SandboxSpec, mode: Mode): void {
  if (network === "off") throw new SandboxProviderError("unavailable", withoutSwitch);
  if (mode !== "claim" || (image ?? cpus ?? memoryMiB) === undefined) return;
  const detail =
    "Sandboxes of a warm pool are as its SandboxTemplate says: image, cpus and memory cannot be wished for. Set mode to sandbox.";
  throw new SandboxProviderError("unavailable", detail);
}

const withoutSwitch =
  "Whether a pod's network is off is a matter of NetworkPolicies and of who enforces them: it cannot be wished for. Apply one to the namespace (deploy/kubernetes/network-policy.yaml).";
