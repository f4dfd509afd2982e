/** An object of the API, as far as it is looked at here. */
export interface KubeObject {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata: ObjectMeta;
  readonly spec?: Readonly<Record<string, unknown>> | undefined;
  readonly status?: Readonly<Record<string, unknown>> | undefined;
}

interface ObjectMeta {
  readonly name: string;
  readonly uid?: string | undefined;
  readonly creationTimestamp?: string | Date | undefined;
  readonly deletionTimestamp?: string | Date | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

/** Where objects of a kind are in the API. */
export interface Resource {
  /** Empty for the core. */
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
}

export const pods = { group: "", version: "v1", plural: "pods", kind: "Pod" } as const;
export const sandboxes = {
  group: "agents.x-k8s.io",
  version: "v1beta1",
  plural: "sandboxes",
  kind: "Sandbox",
} as const;
export const sandboxClaims = {
  group: "extensions.agents.x-k8s.io",
  version: "v1beta1",
  plural: "sandboxclaims",
  kind: "SandboxClaim",
} as const;

export const apiVersionOf = ({ group, version }: Resource) => (group === "" ? version : `${group}/${version}`);

export const timeOf = (time: string | Date | undefined): number | undefined =>
  time === undefined ? undefined : new Date(time).getTime();

/** As the API writes times: whole seconds, never earlier. */
export const timestamp = (at: number): string =>
  new Date(Math.ceil(at / 1_000) * 1_000).toISOString().replace(".000Z", "Z");

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
}

export function conditionOf({ status }: KubeObject, type: string): Condition | undefined {
  const conditions = (status?.conditions ?? []) as readonly Condition[];
  return conditions.find((condition) => condition.type === type);
}
