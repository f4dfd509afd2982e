import { apiVersionOf, conditionOf, sandboxClaims, sandboxes, timeOf, timestamp } from "./kube-object.ts";
import { metadataOf } from "./labels.ts";
import { isBeingRemoved, type MachineKind, removed } from "./machine-kind.ts";
import { podNameOf, whyNotReady, whyOver } from "./sandbox-kind.ts";

interface Spec {
  readonly lifecycle?: { readonly shutdownTime?: string };
}

interface Status {
  readonly sandbox?: { readonly name?: string };
}

/**
 * One of a warm pool's Sandboxes, by a SandboxClaim. What it is made of is the pool's business: a claim that brings variables or
 * volumes gets none that is warm.
 */
export const claimKind: MachineKind = {
  mode: "claim",
  resource: sandboxClaims,
  body: (name, expiresAt, spec, { warmPool = "" }) => ({
    apiVersion: apiVersionOf(sandboxClaims),
    kind: sandboxClaims.kind,
    metadata: { name, ...metadataOf(spec.labels) },
    spec: {
      warmPoolRef: { name: warmPool },
      lifecycle: { shutdownTime: timestamp(expiresAt), shutdownPolicy: "Delete" },
    },
  }),
  life(claim) {
    if (isBeingRemoved(claim)) return removed;
    const over = whyOver(claim);
    if (over !== undefined) return { state: "gone", why: over };
    if (conditionOf(claim, "Ready")?.status !== "True") return { state: "starting", why: whyNotReady(claim) };
    const expiresAt = timeOf((claim.spec as Spec | undefined)?.lifecycle?.shutdownTime);
    return { state: "running", ...(expiresAt === undefined ? {} : { expiresAt }) };
  },
  extended: (at) => ({ spec: { lifecycle: { shutdownTime: timestamp(at) } } }),
  async pod(cluster, claim) {
    const { name } = (claim.status as Status | undefined)?.sandbox ?? {};
    const sandbox = name === undefined ? undefined : await cluster.read(sandboxes, name);
    return sandbox && podNameOf(sandbox);
  },
};
