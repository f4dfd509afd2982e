import type { MachineLife } from "../hosted/hosted-machine.ts";
import { apiVersionOf, conditionOf, type KubeObject, sandboxes, timeOf, timestamp } from "./kube-object.ts";
import type { KubernetesSettings } from "./kubernetes-settings.ts";
import { metadataOf } from "./labels.ts";
import { isBeingRemoved, type MachineKind, removed } from "./machine-kind.ts";
import { podSpec, volumeName } from "./pod-spec.ts";

const podNameAnnotation = "agents.x-k8s.io/pod-name";

interface Spec {
  readonly operatingMode?: string;
  readonly shutdownTime?: string;
  readonly volumeClaimTemplates?: readonly unknown[];
}

/**
 * A Sandbox of agent-sandbox. With a volume that outlives its pod it is suspended by taking away the pod, and is so by itself
 * when its time is up or its pod was lost.
 */
export const sandboxKind: MachineKind = {
  mode: "sandbox",
  resource: sandboxes,
  body(name, expiresAt, spec, settings) {
    const isVolumeClaimed = settings.volume === "claim";
    return {
      apiVersion: apiVersionOf(sandboxes),
      kind: sandboxes.kind,
      metadata: { name, ...metadataOf(spec.labels) },
      spec: {
        operatingMode: "Running",
        shutdownTime: timestamp(expiresAt),
        shutdownPolicy: isVolumeClaimed ? "Retain" : "Delete",
        podTemplate: { metadata: { labels: metadataOf({}).labels }, spec: podSpec(spec, settings, isVolumeClaimed) },
        ...(isVolumeClaimed ? { volumeClaimTemplates: [volumeClaim(settings)] } : {}),
      },
    };
  },
  life(sandbox) {
    if (isBeingRemoved(sandbox)) return removed;
    const { operatingMode, shutdownTime, volumeClaimTemplates = [] } = (sandbox.spec ?? {}) as Spec;
    if (operatingMode === "Suspended") return { state: "suspended" };
    const over = whyOver(sandbox);
    if (over !== undefined) return { state: volumeClaimTemplates.length > 0 ? "suspended" : "gone", why: over };
    const ready = conditionOf(sandbox, "Ready");
    if (ready?.status !== "True") return { state: "starting", why: whyNotReady(sandbox) };
    const expiresAt = timeOf(shutdownTime);
    return { state: "running", ...(expiresAt === undefined ? {} : { expiresAt }) };
  },
  extended: (at) => ({ spec: { shutdownTime: timestamp(at) } }),
  // It would be over at that time, also while it is suspended.
  suspended: { spec: { operatingMode: "Suspended", shutdownTime: null } },
  resumed: (at) => ({ spec: { operatingMode: "Running", shutdownTime: timestamp(at) } }),
  pod: async (_, sandbox) => podNameOf(sandbox),
};

/** Another name where it was adopted from a pool. */
export const podNameOf = ({ metadata }: KubeObject): string =>
  metadata.annotations?.[podNameAnnotation] ?? metadata.name;

function volumeClaim({ diskGiB, storageClass }: KubernetesSettings) {
  return {
    metadata: { name: volumeName },
    spec: {
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: `${diskGiB}Gi` } },
      ...(storageClass === undefined ? {} : { storageClassName: storageClass }),
    },
  };
}

/** Its pod is over, and there will be no other by itself. */
export function whyOver(object: KubeObject): string | undefined {
  const { reason, message } = conditionOf(object, "Ready") ?? {};
  if (reason === "SandboxExpired" || reason === "ClaimExpired") return "Its time was up.";
  if (reason === "PodFailed" || reason === "PodSucceeded") return message || `Its pod ended (${reason}).`;
  return undefined;
}

export function whyNotReady(object: KubeObject): string {
  const scheduled = conditionOf(object, "PodScheduled");
  if (scheduled?.status === "False") return `${scheduled.reason}: ${scheduled.message}`;
  const { reason, message } = conditionOf(object, "Ready") ?? {};
  return [reason, message].filter(Boolean).join(": ") || "agent-sandbox has not seen it yet; does its controller run?";
}

export const isOver = (life: MachineLife): boolean => life.state === "suspended" && life.why !== undefined;
