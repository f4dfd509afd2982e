import { expect, test } from "vitest";
import { readKubernetesSettings } from "./kubernetes-settings.ts";
import { selectorOf, summaryOf } from "./labels.ts";
import { kindOf, machineKinds, newId } from "./machine-kinds.ts";

const settings = readKubernetesSettings({ runtimeClass: "gvisor", podSpec: { nodeSelector: { pool: "agents" } } }, {});
const labels = { "sandbox-agent-store": "a b=ü", session: "x".repeat(300) };
const bodyOf = (mode: "pod" | "sandbox" | "claim", changes = {}) =>
  machineKinds[mode].body("name", 1_000_500, { labels, bundle: "/" }, { ...settings, ...changes });

test("an id says what it is of", () => {
  for (const kind of Object.values(machineKinds)) expect(kindOf(newId(kind))).toBe(kind);
  expect(kindOf("agent-job-0123456789ab")).toBe(undefined);
});

test.each(["pod", "sandbox", "claim"] as const)(
  "labels of a %s are of the alphabet of Kubernetes, and come back",
  (mode) => {
    const { metadata } = bodyOf(mode);
    for (const [key, value] of Object.entries(metadata.labels ?? {})) {
      expect(key).toMatch(/^([a-z0-9.-]+\/)?[A-Za-z0-9][-\w.]{0,61}[A-Za-z0-9]$/);
      expect(value).toMatch(/^[A-Za-z0-9][-\w.]{0,61}[A-Za-z0-9]$/);
    }
    expect(summaryOf({ metadata })?.labels).toEqual(labels);
    const [key, value] = selectorOf({ key: "sandbox-agent-store", value: "a b=ü" }).split("=");
    expect(metadata.labels?.[key!]).toBe(value);
    expect(summaryOf({ metadata: { name: "of somebody else" } })).toBe(undefined);
  },
);

test("a pod has no rights, ends by its annotation and survives a container that took too much memory", () => {
  const { metadata, spec } = bodyOf("pod");
  expect(metadata.annotations).toMatchObject({ "sandbox-agent/expires-at": "1001" });
  expect(spec).toMatchObject({
    restartPolicy: "OnFailure",
    automountServiceAccountToken: false,
    runtimeClassName: "gvisor",
    nodeSelector: { pool: "agents" },
    securityContext: { runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000, seccompProfile: { type: "RuntimeDefault" } },
  });
  const [container] = spec!.containers as [Record<string, unknown>];
  expect(container).toMatchObject({
    resources: { limits: { cpu: "2", memory: "4096Mi" }, requests: { cpu: "500m", memory: "4096Mi" } },
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] }, readOnlyRootFilesystem: true },
  });
  expect(container).not.toHaveProperty("env");
});

test("a Sandbox keeps its volume when its time is up; without one nothing is kept", () => {
  const kept = bodyOf("sandbox", { storageClass: "fast" }).spec;
  expect(kept).toMatchObject({ shutdownTime: "1970-01-01T00:16:41Z", shutdownPolicy: "Retain" });
  expect(kept?.volumeClaimTemplates).toMatchObject([
    { metadata: { name: "sandbox" }, spec: { storageClassName: "fast" } },
  ]);
  const { shutdownPolicy, volumeClaimTemplates } = bodyOf("sandbox", { volume: "none" }).spec!;
  expect([shutdownPolicy, volumeClaimTemplates]).toEqual(["Delete", undefined]);
});

test("a claim brings nothing of its own, or it would get none that is warm", () => {
  const { spec } = bodyOf("claim", { warmPool: "agents" });
  expect(spec).toEqual({
    warmPoolRef: { name: "agents" },
    lifecycle: { shutdownTime: "1970-01-01T00:16:41Z", shutdownPolicy: "Delete" },
  });
});

const pod = (status: Readonly<Record<string, unknown>>, spec = {}) => ({ metadata: { name: "p" }, spec, status });

test.each([
  [{ phase: "Pending" }, "starting", "its container is being started"],
  [
    {
      phase: "Pending",
      conditions: [{ type: "PodScheduled", status: "False", reason: "Unschedulable", message: "0/3 nodes" }],
    },
    "starting",
    "Unschedulable: 0/3 nodes",
  ],
  [{ phase: "Running", containerStatuses: [{ state: { running: {} } }] }, "running", undefined],
  [
    { phase: "Running", containerStatuses: [{ state: { waiting: { reason: "CrashLoopBackOff" } } }] },
    "starting",
    "CrashLoopBackOff",
  ],
  [{ phase: "Succeeded" }, "gone", "Its time was up."],
  [{ phase: "Failed", reason: "Evicted", message: "low on memory" }, "gone", "Its pod ended: Evicted: low on memory."],
  [
    { phase: "Failed", containerStatuses: [{ state: { terminated: { reason: "Error", exitCode: 1 } } }] },
    "gone",
    "Its pod ended: its container failed (Error, exit code 1).",
  ],
])("of a pod with %j it is said that it is %s", (status, state, why) => {
  expect(machineKinds.pod.life(pod(status))).toMatchObject({ state, ...(why === undefined ? {} : { why }) });
});

const sandbox = (reason: string, spec = {}) =>
  pod({ conditions: [{ type: "Ready", status: reason === "DependenciesReady" ? "True" : "False", reason }] }, spec);
const withVolume = { volumeClaimTemplates: [{}] };

test.each([
  [sandbox("DependenciesReady", { shutdownTime: "1970-01-01T00:00:01Z" }), { state: "running", expiresAt: 1_000 }],
  [sandbox("DependenciesReady", { operatingMode: "Suspended" }), { state: "suspended" }],
  [sandbox("DependenciesNotReady"), { state: "starting", why: "DependenciesNotReady" }],
  [sandbox("SandboxExpired", withVolume), { state: "suspended", why: "Its time was up." }],
  [sandbox("SandboxExpired"), { state: "gone", why: "Its time was up." }],
  [sandbox("PodFailed", withVolume), { state: "suspended" }],
  [pod({}), { state: "starting", why: expect.stringContaining("does its controller run?") }],
])("of a Sandbox the operating mode and the condition Ready count: %#", (object, life) => {
  expect(machineKinds.sandbox.life(object)).toMatchObject(life);
});
