import { isOwnedBy, type KubeObject, ownerOf, timestamp } from "./kube-object.ts";
import type { ObjectStore, StoreEvent } from "./object-store.ts";

const podNameAnnotation = "agents.x-k8s.io/pod-name";
const longestTimerMs = 2 ** 31 - 1;

export type Delete = (plural: StoreEvent["plural"], object: KubeObject) => void;

/** What the controllers of agent-sandbox do: pods and volumes of Sandboxes, warm pools, and claims that take from them. */
export class AgentSandboxController {
  readonly #store: ObjectStore;
  readonly #delete: Delete;
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(store: ObjectStore, remove: Delete) {
    this.#store = store;
    this.#delete = remove;
    store.listen(({ plural, object, type }) => {
      const { namespace = "" } = object.metadata;
      if (plural === "sandboxes" && type !== "DELETED") this.#reconcileSandbox(object);
      if (plural === "pods") this.#onPod(object);
      if (plural === "sandboxwarmpools" && type !== "DELETED") this.#fill(namespace);
      if (plural === "sandboxclaims" && type !== "DELETED") this.#reconcileClaim(object);
      if (plural === "sandboxes") this.#reconcileClaims(namespace);
      if (plural === "sandboxes") this.#fill(namespace);
    });
  }

  /** Its time is up now. */
  expire({ metadata: { namespace = "", name } }: KubeObject): void {
    this.#store.update("sandboxes", namespace, name, ({ spec }) => {
      spec.shutdownTime = timestamp();
    });
  }

  /** Until somebody sets another time. */
  #rest(sandbox: KubeObject): void {
    const { namespace = "", name } = sandbox.metadata;
    const pod = this.#podOf(sandbox);
    if (pod && pod.metadata.deletionTimestamp === undefined) this.#delete("pods", pod);
    if (sandbox.spec.shutdownPolicy === "Delete") return void this.#delete("sandboxes", sandbox);
    const condition = { type: "Ready", status: "False", reason: "SandboxExpired", message: "Sandbox has expired" };
    this.#store.update("sandboxes", namespace, name, (object) => {
      object.status = { conditions: [condition] };
    });
  }

  close(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }

  #onPod(pod: KubeObject): void {
    const { namespace = "" } = pod.metadata;
    for (const sandbox of this.#store.list("sandboxes", namespace)) {
      if (isOwnedBy(pod, sandbox)) this.#reconcileSandbox(sandbox);
    }
  }

  #reconcileSandbox(seen: KubeObject): void {
    const { namespace = "", name } = seen.metadata;
    const sandbox = this.#store.find("sandboxes", namespace, name);
    if (sandbox === undefined) return;
    if (Date.parse(sandbox.spec.shutdownTime) <= Date.now()) return void this.#rest(sandbox);
    this.#at(sandbox, sandbox.spec.shutdownTime, () => this.#reconcileSandbox(sandbox));
    for (const template of sandbox.spec.volumeClaimTemplates ?? []) this.#ensureVolume(sandbox, template);
    const isWanted = sandbox.spec.operatingMode !== "Suspended";
    const pod = this.#podOf(sandbox);
    if (isWanted && pod === undefined) this.#makePod(sandbox);
    if (!isWanted && pod && pod.metadata.deletionTimestamp === undefined) this.#delete("pods", pod);
    this.#report(sandbox, this.#podOf(sandbox), isWanted);
  }

  #report(sandbox: KubeObject, pod: KubeObject | undefined, isWanted: boolean): void {
    const { namespace = "", name } = sandbox.metadata;
    const phase: string | undefined = pod?.status?.phase;
    const isOver = phase === "Succeeded" || phase === "Failed";
    const isReady = isWanted && phase === "Running" && pod?.metadata.deletionTimestamp === undefined;
    const overReason = phase === "Failed" ? "PodFailed" : "PodSucceeded";
    const otherwise = isOver ? overReason : "DependenciesNotReady";
    const reason = isReady ? "DependenciesReady" : isWanted ? otherwise : "SandboxSuspended";
    const message = isOver ? `Pod is over: ${pod?.status?.reason ?? phase}` : "";
    this.#store.update("sandboxes", namespace, name, (object) => {
      const old = (object.status?.conditions ?? []).find(({ type }: { type: string }) => type === "Suspended");
      const suspended = isWanted
        ? old
        : { type: "Suspended", status: pod ? "False" : "True", reason: pod ? "PodTerminating" : "PodTerminated" };
      const conditions = [
        { type: "Ready", status: isReady ? "True" : "False", reason, message },
        ...(suspended ? [suspended] : []),
        ...(isOver ? [{ type: "Finished", status: "True", reason: overReason, message }] : []),
      ];
      const podIPs = (pod?.status?.podIPs ?? []).map(({ ip }: { ip: string }) => ip);
      object.status = { conditions, selector: `agents.x-k8s.io/sandbox=${name}`, ...(isReady ? { podIPs } : {}) };
    });
  }

  #podOf(sandbox: KubeObject): KubeObject | undefined {
    const pod = this.#store.find("pods", sandbox.metadata.namespace!, podNameOf(sandbox));
    return pod && isOwnedBy(pod, sandbox) ? pod : undefined;
  }

  #makePod(sandbox: KubeObject): void {
    const { metadata = {}, spec } = sandbox.spec.podTemplate;
    const { namespace = "" } = sandbox.metadata;
    if (this.#store.find("pods", namespace, podNameOf(sandbox))) return;
    const volumes = (sandbox.spec.volumeClaimTemplates ?? []).map((template: KubeObject) => ({
      name: template.metadata.name,
      persistentVolumeClaim: { claimName: `${template.metadata.name}-${sandbox.metadata.name}` },
    }));
    const isTaken = ({ name }: { name: string }) => volumes.some((volume: { name: string }) => volume.name === name);
    this.#store.create("pods", namespace, {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { ...metadata, name: podNameOf(sandbox), ownerReferences: [ownerOf(sandbox)] },
      spec: {
        ...spec,
        volumes: [...(spec.volumes ?? []).filter((volume: { name: string }) => !isTaken(volume)), ...volumes],
      },
      status: { phase: "Pending" },
    });
  }

  #ensureVolume(sandbox: KubeObject, template: KubeObject): void {
    const { namespace = "", name: of } = sandbox.metadata;
    const name = `${template.metadata.name}-${of}`;
    if (this.#store.find("persistentvolumeclaims", namespace, name)) return;
    this.#store.create("persistentvolumeclaims", namespace, {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name, ownerReferences: [ownerOf(sandbox)] },
      spec: template.spec,
    });
  }

  /** As many Sandboxes as each pool wants, made of its template. */
  #fill(namespace: string): void {
    for (const pool of this.#store.list("sandboxwarmpools", namespace)) {
      const members = this.#store.list("sandboxes", namespace).filter((sandbox) => isOwnedBy(sandbox, pool));
      const template = this.#store.find("sandboxtemplates", namespace, pool.spec.sandboxTemplateRef.name);
      for (let count = members.length; template && count < pool.spec.replicas; count += 1)
        this.#makeSandbox(template, pool, undefined);
      const readyReplicas = members.filter(isReady).length;
      this.#store.update("sandboxwarmpools", namespace, pool.metadata.name, (object) => {
        object.status = { replicas: members.length, readyReplicas };
      });
    }
  }

  #makeSandbox(template: KubeObject, owner: KubeObject, name: string | undefined): KubeObject {
    const { namespace = "" } = template.metadata;
    const { podTemplate, volumeClaimTemplates } = template.spec;
    const suffix = Math.random().toString(36).slice(2, 7);
    return this.#store.create("sandboxes", namespace, {
      apiVersion: "agents.x-k8s.io/v1beta1",
      kind: "Sandbox",
      metadata: { name: name ?? `${owner.metadata.name}-${suffix}`, ownerReferences: [ownerOf(owner)] },
      spec: { podTemplate, volumeClaimTemplates, operatingMode: "Running" },
    });
  }

  #reconcileClaims(namespace: string): void {
    for (const claim of this.#store.list("sandboxclaims", namespace)) this.#reconcileClaim(claim);
  }

  #reconcileClaim(seen: KubeObject): void {
    const { namespace = "", name } = seen.metadata;
    const claim = this.#store.find("sandboxclaims", namespace, name);
    if (claim === undefined) return;
    const { lifecycle } = claim.spec;
    this.#at(claim, lifecycle?.shutdownTime, () => this.#delete("sandboxclaims", claim));
    const sandbox =
      this.#store.list("sandboxes", namespace).find((object) => isOwnedBy(object, claim)) ?? this.#adopt(claim);
    const ready = sandbox?.status?.conditions?.find(({ type }: { type: string }) => type === "Ready");
    const missing = { type: "Ready", status: "False", reason: "SandboxMissing", message: "Sandbox does not exist" };
    const poolMissing = {
      ...missing,
      reason: "WarmPoolNotFound",
      message: `SandboxWarmPool "${claim.spec.warmPoolRef.name}" not found`,
    };
    this.#store.update("sandboxclaims", namespace, name, (object) => {
      object.status = {
        conditions: [ready ?? (sandbox ? missing : poolMissing)],
        ...(sandbox ? { sandbox: { name: sandbox.metadata.name, podIPs: sandbox.status?.podIPs ?? [] } } : {}),
      };
    });
  }

  /** A member of the pool that is ready, else a new one. */
  #adopt(claim: KubeObject): KubeObject | undefined {
    const { namespace = "" } = claim.metadata;
    const pool = this.#store.find("sandboxwarmpools", namespace, claim.spec.warmPoolRef.name);
    if (pool === undefined) return undefined;
    const member = this.#store
      .list("sandboxes", namespace)
      .find((object) => isOwnedBy(object, pool) && isReady(object));
    if (member === undefined) {
      const template = this.#store.find("sandboxtemplates", namespace, pool.spec.sandboxTemplateRef.name);
      return template && this.#makeSandbox(template, claim, claim.metadata.name);
    }
    return this.#store.update("sandboxes", namespace, member.metadata.name, (object) => {
      object.metadata.ownerReferences = [ownerOf(claim)];
      object.metadata.annotations = { ...object.metadata.annotations, [podNameAnnotation]: object.metadata.name };
    });
  }

  #at(object: KubeObject, time: string | undefined, then: () => void): void {
    const { uid = "" } = object.metadata;
    clearTimeout(this.#timers.get(uid));
    this.#timers.delete(uid);
    if (time === undefined) return;
    const current = () => this.#store.list(pluralOf(object)).some(({ metadata }) => metadata.uid === uid);
    const wait = Math.min(Math.max(Date.parse(time) - Date.now(), 0), longestTimerMs);
    this.#timers.set(uid, setTimeout(() => current() && then(), wait).unref());
  }
}

const pluralOf = ({ kind }: KubeObject) => (kind === "Sandbox" ? ("sandboxes" as const) : ("sandboxclaims" as const));
const podNameOf = ({ metadata }: KubeObject) => metadata.annotations?.[podNameAnnotation] ?? metadata.name;

function conditionOf({ status }: KubeObject, type: string): { status: string; reason: string } | undefined {
  return status?.conditions?.find((condition: { type: string }) => condition.type === type);
}

const isReady = (sandbox: KubeObject) => conditionOf(sandbox, "Ready")?.status === "True";
