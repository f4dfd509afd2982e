import type { MachineLife } from "../hosted/hosted-machine.ts";
import type { SandboxSpec } from "../sandbox-provider.ts";
import type { Cluster } from "./cluster.ts";
import type { KubeObject, Resource } from "./kube-object.ts";
import type { KubernetesSettings, Mode } from "./kubernetes-settings.ts";

/** How a sandbox is in the cluster: which object it is, and how its life and its pod are seen and changed by it. */
export interface MachineKind {
  readonly mode: Mode;
  readonly resource: Resource;
  body(name: string, expiresAt: number, spec: SandboxSpec, settings: KubernetesSettings): KubeObject;
  /** Of one that is there. `starting` also where it cannot run yet, with the reason in `why`. */
  life(object: KubeObject): MachineLife;
  /** Merge patches. */
  extended(expiresAt: number): object;
  readonly suspended?: object;
  resumed?(expiresAt: number): object;
  /** The name of its pod; undefined where it has none yet. */
  pod(cluster: Cluster, object: KubeObject): Promise<string | undefined>;
}

export const isBeingRemoved = ({ metadata }: KubeObject): boolean => metadata.deletionTimestamp !== undefined;

export const removed: MachineLife = { state: "gone", why: "Somebody removed it from the cluster." };
