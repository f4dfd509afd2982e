import type { Mode } from "./kubernetes-settings.ts";

/** A rule of a Role, as RBAC has it. */
export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

const pods: readonly PolicyRule[] = [
  { apiGroups: [""], resources: ["pods"], verbs: ["create", "get", "list", "patch", "delete"] },
  // A WebSocket is a GET; clusters from 1.35 on want to see the right to create, too.
  { apiGroups: [""], resources: ["pods/exec", "pods/portforward"], verbs: ["get", "create"] },
];

const changed = ["create", "get", "list", "patch", "delete"];
const sandboxes: PolicyRule = { apiGroups: ["agents.x-k8s.io"], resources: ["sandboxes"], verbs: changed };
const claims: PolicyRule = { apiGroups: ["extensions.agents.x-k8s.io"], resources: ["sandboxclaims"], verbs: changed };

/** What the account of the runtime must be allowed in the namespace of its sandboxes; deploy/kubernetes/role.yaml is all of it. */
export function rulesFor(mode: Mode): readonly PolicyRule[] {
  if (mode === "pod") return pods;
  return mode === "sandbox" ? [...pods, sandboxes] : [...pods, sandboxes, claims];
}
