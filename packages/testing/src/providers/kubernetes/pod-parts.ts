import type { KubeObject } from "./kube-object.ts";

interface Volume {
  readonly name: string;
  readonly persistentVolumeClaim?: { readonly claimName: string };
  readonly downwardAPI?: { readonly items?: readonly { path: string; fieldRef?: { fieldPath: string } }[] };
}

interface VolumeMount {
  readonly name: string;
  readonly mountPath: string;
}

/** The first, which is the one that counts here. */
export function mainContainer(pod: KubeObject) {
  return pod.spec.containers[0];
}

const volumesOf = ({ spec }: KubeObject): readonly Volume[] => spec.volumes ?? [];
const volumeMountsOf = (pod: KubeObject): readonly VolumeMount[] => mainContainer(pod).volumeMounts ?? [];

/** The names of the PersistentVolumeClaims that it uses. */
export function claimsOf(pod: KubeObject): string[] {
  return volumesOf(pod).flatMap(({ persistentVolumeClaim: claim }) => (claim ? [claim.claimName] : []));
}

/** Directories that can be written to, and whether they outlive the pod. */
export function mountsOf(pod: KubeObject): { readonly path: string; readonly isKept: boolean }[] {
  return volumeMountsOf(pod).flatMap(({ name, mountPath }) => {
    const volume = volumesOf(pod).find((other) => other.name === name);
    if (volume === undefined || volume.downwardAPI) return [];
    return [{ path: mountPath, isKept: volume.persistentVolumeClaim !== undefined }];
  });
}

/** Files that say what the pod's annotations are. */
export function annotationFiles(pod: KubeObject): { readonly path: string; readonly text: string }[] {
  return volumeMountsOf(pod).flatMap(({ name, mountPath }) => {
    const items = volumesOf(pod).find((volume) => volume.name === name)?.downwardAPI?.items ?? [];
    return items.map(({ path, fieldRef }) => {
      const annotation = /^metadata\.annotations\['(.+)'\]$/.exec(fieldRef?.fieldPath ?? "")?.[1] ?? "";
      return { path: `${mountPath}/${path}`, text: pod.metadata.annotations?.[annotation] ?? "" };
    });
  });
}
