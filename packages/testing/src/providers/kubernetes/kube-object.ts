/** An object of the API, as far as this server looks into it. */
export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
  // biome-ignore lint/suspicious/noExplicitAny: what is in it is checked by who made the schema
  spec?: any;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  status?: any;
}

interface ObjectMeta {
  name: string;
  generateName?: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
}

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
}

/** A resource of the API: what the path says, and what its objects say of themselves. */
export interface Resource {
  /** Empty for the core. */
  readonly group: string;
  /** The first is what is kept. */
  readonly versions: readonly string[];
  readonly plural: string;
  readonly kind: string;
}

export const resources = [
  { group: "", versions: ["v1"], plural: "pods", kind: "Pod" },
  { group: "", versions: ["v1"], plural: "persistentvolumeclaims", kind: "PersistentVolumeClaim" },
  { group: "agents.x-k8s.io", versions: ["v1beta1", "v1alpha1"], plural: "sandboxes", kind: "Sandbox" },
  { group: "extensions.agents.x-k8s.io", versions: ["v1beta1"], plural: "sandboxclaims", kind: "SandboxClaim" },
  { group: "extensions.agents.x-k8s.io", versions: ["v1beta1"], plural: "sandboxtemplates", kind: "SandboxTemplate" },
  { group: "extensions.agents.x-k8s.io", versions: ["v1beta1"], plural: "sandboxwarmpools", kind: "SandboxWarmPool" },
] as const satisfies readonly Resource[];

export type Plural = (typeof resources)[number]["plural"];

export function ownerOf(object: KubeObject): OwnerReference {
  const { apiVersion, kind, metadata } = object;
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid!, controller: true };
}

export function isOwnedBy(object: KubeObject, owner: KubeObject): boolean {
  return object.metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid) === true;
}

/** As the API writes times: whole seconds. */
export function timestamp(at = Date.now()): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, "Z");
}
