import type { MachineLife } from "../hosted/hosted-machine.ts";
import { conditionOf, type KubeObject, pods } from "./kube-object.ts";
import { metadataOf } from "./labels.ts";
import { isBeingRemoved, type MachineKind, removed } from "./machine-kind.ts";
import { expiresAnnotation, podSpec } from "./pod-spec.ts";

/** A pod of its own. It ends by itself when its annotation says so; nothing is kept of it then. */
export const podKind: MachineKind = {
  mode: "pod",
  resource: pods,
  body(name, expiresAt, spec, settings) {
    const { labels, annotations } = metadataOf(spec.labels);
    return {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name, labels, annotations: { ...annotations, ...expiry(expiresAt) } },
      spec: podSpec(spec, settings, false),
    };
  },
  life(pod) {
    if (isBeingRemoved(pod)) return removed;
    const end = endOf(pod);
    if (end !== undefined) return { state: "gone", why: end };
    const why = whyPending(pod);
    if (why !== undefined) return { state: "starting", why };
    return { state: "running", ...expiresAt(pod) };
  },
  extended: (at) => ({ metadata: { annotations: expiry(at) } }),
  pod: async (_, { metadata }) => metadata.name,
};

const expiry = (at: number) => ({ [expiresAnnotation]: String(Math.ceil(at / 1_000)) });

function expiresAt({ metadata }: KubeObject): Pick<MachineLife, "expiresAt"> {
  const seconds = Number(metadata.annotations?.[expiresAnnotation]);
  return Number.isFinite(seconds) ? { expiresAt: seconds * 1_000 } : {};
}

interface ContainerState {
  readonly running?: object;
  readonly waiting?: { readonly reason?: string; readonly message?: string };
  readonly terminated?: { readonly reason?: string; readonly exitCode?: number };
}

function stateOf({ status }: KubeObject): ContainerState {
  const [first] = (status?.containerStatuses ?? []) as readonly { readonly state?: ContainerState }[];
  return first?.state ?? {};
}

/** Why a pod is over for good; undefined where it is not. */
function endOf(pod: KubeObject): string | undefined {
  const { phase, reason, message } = (pod.status ?? {}) as { phase?: string; reason?: string; message?: string };
  if (phase === "Succeeded") return "Its time was up.";
  if (phase !== "Failed") return undefined;
  const { terminated } = stateOf(pod);
  const code = terminated?.exitCode === undefined ? "" : ` (${terminated.reason}, exit code ${terminated.exitCode})`;
  return `Its pod ended: ${[reason, message].filter(Boolean).join(": ") || `its container failed${code}`}.`;
}

/** Why nothing can be run in it yet; undefined where it can. */
function whyPending(pod: KubeObject): string | undefined {
  const { running, waiting } = stateOf(pod);
  if (pod.status?.phase === "Running" && running !== undefined) return undefined;
  if (waiting?.reason !== undefined) return [waiting.reason, waiting.message].filter(Boolean).join(": ");
  const scheduled = conditionOf(pod, "PodScheduled");
  if (scheduled?.status === "False") return `${scheduled.reason}: ${scheduled.message}`;
  return "its container is being started";
}
