import { posix } from "node:path";
import { daemonPort } from "../hosted/hosted-layout.ts";
import type { SandboxSpec } from "../sandbox-provider.ts";
import type { KubernetesSettings } from "./kubernetes-settings.ts";

/** When a pod is to end by itself, in seconds since 1970. A pod's own annotations are files in it. */
export const expiresAnnotation = "sandbox-agent/expires-at";
export const volumeName = "sandbox";
const podInfo = "/etc/sandbox-agent";
/** A changed annotation is in its file after a minute or two. */
const graceSeconds = 180;
const temporaryMiB = 1024;
const endsWithinSeconds = 5;

/** Waits: the daemon is started in it later. Whatever is left behind by others is ended with it. */
const waiting = `trap 'exit 0' TERM INT
while :; do
  end=$(cat ${podInfo}/expires-at 2>/dev/null)
  if [ "\${end:-0}" -gt 0 ] && [ "$(date +%s)" -ge $((end + ${graceSeconds})) ]; then exit 0; fi
  sleep 10 & wait $!
done`;

/**
 * The spec of a sandbox's pod: no rights, no token of the cluster, nothing writable but its volume and /tmp. A container whose
 * memory was not enough is started again in the same pod, with the same volume. There is nothing secret in it.
 */
export function podSpec(spec: SandboxSpec, settings: KubernetesSettings, isVolumeClaimed: boolean) {
  const { image, imagePullSecret, user, runtimeClass, diskGiB } = settings;
  const limits = {
    cpu: String(spec.cpus ?? settings.cpus),
    memory: `${spec.memoryMiB ?? settings.memoryMiB}Mi`,
    "ephemeral-storage": `${(isVolumeClaimed ? 0 : diskGiB) + temporaryMiB / 1024}Gi`,
  };
  const expires = { path: "expires-at", fieldRef: { fieldPath: `metadata.annotations['${expiresAnnotation}']` } };
  return {
    restartPolicy: "OnFailure",
    terminationGracePeriodSeconds: endsWithinSeconds,
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: user.uid,
      runAsGroup: user.gid,
      fsGroup: user.gid,
      fsGroupChangePolicy: "OnRootMismatch",
      seccompProfile: { type: "RuntimeDefault" },
    },
    ...(imagePullSecret === undefined ? {} : { imagePullSecrets: [{ name: imagePullSecret }] }),
    ...(runtimeClass === undefined ? {} : { runtimeClassName: runtimeClass }),
    ...settings.podSpec,
    containers: [
      {
        name: "sandbox",
        image: spec.image ?? image,
        command: ["sh", "-c", waiting],
        ports: [{ name: "daemon", containerPort: daemonPort }],
        resources: { limits, requests: { ...limits, cpu: cpuRequest(limits.cpu) } },
        securityContext: {
          allowPrivilegeEscalation: false,
          capabilities: { drop: ["ALL"] },
          readOnlyRootFilesystem: true,
        },
        volumeMounts: [
          { name: volumeName, mountPath: posix.dirname(settings.root) },
          { name: "tmp", mountPath: "/tmp" },
          { name: "pod-info", mountPath: podInfo, readOnly: true },
        ],
      },
    ],
    volumes: [
      ...(isVolumeClaimed ? [] : [{ name: volumeName, emptyDir: { sizeLimit: `${diskGiB}Gi` } }]),
      { name: "tmp", emptyDir: { sizeLimit: `${temporaryMiB}Mi` } },
      { name: "pod-info", downwardAPI: { items: [expires] } },
    ],
  };
}

/** Agents wait for their models most of the time: more of them share a node's processors. */
function cpuRequest(limit: string): string {
  return `${Math.max(1, Math.round(Number(limit) * 250))}m`;
}
