import { dirname } from "node:path";
import type { Box, BoxProcess } from "../box/box.ts";
import type { BoxHost } from "../box/box-host.ts";
import type { ServiceOptions } from "../provider-service.ts";
import { type KubeObject, timestamp } from "./kube-object.ts";
import type { ObjectStore } from "./object-store.ts";
import { PodAddress } from "./pod-address.ts";
import { annotationFiles, claimsOf, mainContainer, mountsOf } from "./pod-parts.ts";

const defaultGraceSeconds = 30;

interface RunningPod {
  readonly uid: string;
  readonly box: Box;
  readonly address: PodAddress;
  main?: BoxProcess;
  isEnding?: boolean;
  readonly timers: Set<NodeJS.Timeout>;
}

/** Runs pods: each is a box. One with a volume leaves its box behind, stopped, for the next pod with that volume. */
export class Kubelet {
  readonly #store: ObjectStore;
  readonly #host: BoxHost;
  readonly #options: ServiceOptions;
  readonly #running = new Map<string, RunningPod>();
  readonly #disks = new Map<string, Box>();
  readonly #work = new Set<Promise<void>>();
  #isClosed = false;

  constructor(store: ObjectStore, host: BoxHost, options: ServiceOptions) {
    this.#store = store;
    this.#host = host;
    this.#options = options;
    store.listen(({ type, plural, object }) => {
      if (plural === "persistentvolumeclaims") this.#onClaim(type, object);
      if (plural !== "pods" || this.#isClosed) return;
      if (type === "ADDED") this.#do(this.#start(object));
      else if (type === "DELETED") this.#do(this.#removed(object));
      else if (object.metadata.deletionTimestamp !== undefined) this.#do(this.#terminate(object));
      else this.#do(this.#refreshFiles(object));
    });
  }

  /** That of a running pod, or of a volume that no pod has at the moment. */
  boxOf(object: KubeObject): Box | undefined {
    if (object.kind === "PersistentVolumeClaim") return this.#disks.get(keyOf(object));
    return this.#running.get(keyOf(object))?.box;
  }

  /** The pod is over, for a reason that is not its own, e.g. `Evicted`. */
  async fail(pod: KubeObject, reason: string, message: string): Promise<void> {
    const running = this.#running.get(keyOf(pod));
    if (running) running.isEnding = true;
    this.#setStatus(pod, { phase: "Failed", reason, message, ...stopped(137, "Error") });
    await this.#end(pod);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { address, timers } of this.#running.values()) {
      address.close();
      for (const timer of timers) clearTimeout(timer);
    }
    await this.#host.close();
    await Promise.all(this.#work);
  }

  #do(work: Promise<void>): void {
    const done = work.catch((error: unknown) => {
      if (!this.#isClosed && !isOfEnd(error)) console.error("A pod of the fake cluster went wrong:", error);
    });
    this.#work.add(done);
    void done.then(() => this.#work.delete(done));
  }

  async #start(pod: KubeObject): Promise<void> {
    const container = mainContainer(pod);
    const claims = claimsOf(pod);
    const missing = claims.find((name) => !this.#store.find("persistentvolumeclaims", pod.metadata.namespace!, name));
    if (missing !== undefined) return this.#unschedulable(pod, `persistentvolumeclaim "${missing}" not found`);
    if (container.image.endsWith(":missing")) return this.#cannotPull(pod, container.image);
    const box = await this.#boxFor(pod);
    const ports = (container.ports ?? []).map(({ containerPort }: { containerPort: number }) => containerPort);
    const address = await PodAddress.open(box, ports);
    const running: RunningPod = { uid: pod.metadata.uid!, box, address, timers: new Set() };
    this.#running.set(keyOf(pod), running);
    const current = this.#current(pod);
    if (current === undefined) return this.#removed(pod);
    if (current.metadata.deletionTimestamp !== undefined) return this.#terminate(current);
    await this.#run(current, running, 0);
    const { activeDeadlineSeconds: seconds } = current.spec;
    const isOver = () =>
      this.#do(this.fail(pod, "DeadlineExceeded", "Pod was active on the node longer than the specified deadline"));
    if (seconds !== undefined) running.timers.add(setTimeout(isOver, Math.min(seconds * 1_000, 2 ** 31 - 1)).unref());
  }

  async #boxFor(pod: KubeObject): Promise<Box> {
    const [claim] = claimsOf(pod);
    const kept = claim === undefined ? undefined : this.#disks.get(`${pod.metadata.namespace}/${claim}`);
    const { spec } = pod;
    const container = mainContainer(pod);
    if (kept) {
      this.#disks.delete(`${pod.metadata.namespace}/${claim}`);
      await kept.start();
      const lost = mountsOf(pod).filter(({ isKept }) => !isKept);
      for (const { path } of lost) await kept.run(["sh", "-c", 'find "$1" -mindepth 1 -delete', "sh", path]);
      return kept;
    }
    const { mounts, reachable, withoutNode } = this.#options;
    const volumes = mountsOf(pod).map(({ path }) => path);
    const box = await this.#host.create({
      id: pod.metadata.uid!,
      home: volumes[0] ?? "/home/user",
      writable: [...volumes, ...annotationFiles(pod).map(({ path }) => dirname(path))],
      uid: container.securityContext?.runAsUser ?? spec.securityContext?.runAsUser ?? 1000,
      env: Object.fromEntries(
        (container.env ?? []).map(({ name, value }: { name: string; value?: string }) => [name, value ?? ""]),
      ),
      mounts,
      reachable,
      without: withoutNode === true ? ["node"] : [],
    });
    // As in a cluster: anybody may write to a volume.
    await box.run(["chmod", "2777", ...volumes]);
    return box;
  }

  async #run(pod: KubeObject, running: RunningPod, restarts: number): Promise<void> {
    await this.#refreshFiles(pod);
    const { command = ["sleep", "1000000"], args = [] } = mainContainer(pod);
    const main = await running.box.exec([...command, ...args]);
    void drain(main.stdout);
    void drain(main.stderr);
    running.main = main;
    void main.exited.then(({ code, signal }) =>
      this.#do(this.#mainEnded(pod, running, restarts, code ?? (signal ? 137 : 1))),
    );
    const started = { running: { startedAt: timestamp() } };
    this.#setStatus(pod, {
      phase: "Running",
      podIP: running.address.ip,
      podIPs: [{ ip: running.address.ip }],
      hostIP: "127.0.0.1",
      startTime: timestamp(),
      conditions: conditions(true),
      containerStatuses: [{ ...containerStatus(pod, restarts), ready: true, started: true, state: started }],
    });
  }

  /** The kernel ends all others with the first process. */
  async #mainEnded(pod: KubeObject, running: RunningPod, restarts: number, code: number): Promise<void> {
    const isCurrent = this.#running.get(keyOf(pod)) === running;
    if (!isCurrent || running.isEnding === true || this.#isClosed || running.box.state !== "running") return;
    const { restartPolicy = "Always" } = pod.spec;
    if (restartPolicy === "Always" || (restartPolicy === "OnFailure" && code !== 0)) {
      await running.box.stop();
      await running.box.start();
      return this.#run(this.#current(pod) ?? pod, running, restarts + 1);
    }
    running.isEnding = true;
    const reason = code === 0 ? "Completed" : "Error";
    this.#setStatus(pod, { phase: code === 0 ? "Succeeded" : "Failed", ...stopped(code, reason) });
    await this.#end(pod);
  }

  async #terminate(pod: KubeObject): Promise<void> {
    const running = this.#running.get(keyOf(pod));
    if (running === undefined) {
      const isStarting = pod.status?.phase === "Pending" && !isStuck(pod);
      if (!isStarting) this.#store.remove("pods", pod.metadata.namespace!, pod.metadata.name);
      return;
    }
    if (running.isEnding === true) return;
    running.isEnding = true;
    const seconds = pod.metadata.deletionGracePeriodSeconds ?? defaultGraceSeconds;
    const grace = new Promise<void>((resolve) => running.timers.add(setTimeout(resolve, seconds * 1_000)));
    if (running.box.state === "running") running.main?.kill("SIGTERM");
    await Promise.race([running.main?.exited, grace]);
    await this.#end(pod);
    this.#store.remove("pods", pod.metadata.namespace!, pod.metadata.name);
  }

  async #removed(pod: KubeObject): Promise<void> {
    await this.#end(pod);
    for (const claim of claimsOf(pod)) this.#release(pod.metadata.namespace!, claim);
  }

  /** Its box goes, or waits for the next pod of its volume. */
  async #end(pod: KubeObject): Promise<void> {
    const running = this.#running.get(keyOf(pod));
    if (running === undefined || running.uid !== pod.metadata.uid) return;
    this.#running.delete(keyOf(pod));
    running.isEnding = true;
    running.address.close();
    for (const timer of running.timers) clearTimeout(timer);
    const [name] = claimsOf(pod);
    const { namespace = "" } = pod.metadata;
    const claim = name === undefined ? undefined : this.#store.find("persistentvolumeclaims", namespace, name);
    if (claim === undefined || claim.metadata.deletionTimestamp !== undefined) return running.box.destroy();
    this.#disks.set(`${namespace}/${name}`, running.box);
    await running.box.stop();
  }

  /** A volume that is to go waits until no pod has it. */
  #onClaim(type: string, object: KubeObject): void {
    const { namespace = "", name, deletionTimestamp } = object.metadata;
    if (type === "DELETED") {
      const disk = this.#disks.get(`${namespace}/${name}`);
      this.#disks.delete(`${namespace}/${name}`);
      if (disk) this.#do(disk.destroy());
    } else if (deletionTimestamp !== undefined) this.#release(namespace, name);
  }

  #release(namespace: string, name: string): void {
    const claim = this.#store.find("persistentvolumeclaims", namespace, name);
    const isUsed = this.#store.list("pods", namespace).some((pod) => claimsOf(pod).includes(name));
    if (claim?.metadata.deletionTimestamp !== undefined && !isUsed)
      this.#store.remove("persistentvolumeclaims", namespace, name);
  }

  async #refreshFiles(pod: KubeObject): Promise<void> {
    const box = this.#running.get(keyOf(pod))?.box;
    if (box?.state !== "running") return;
    try {
      for (const { path, text } of annotationFiles(pod)) await box.write(path, Buffer.from(text), 0o644);
    } catch (error) {
      if (this.#running.get(keyOf(pod))?.box === box && box.state === "running") throw error;
    }
  }

  #unschedulable(pod: KubeObject, message: string): void {
    const condition = { type: "PodScheduled", status: "False", reason: "Unschedulable", message };
    this.#setStatus(pod, { phase: "Pending", conditions: [condition] });
  }

  #cannotPull(pod: KubeObject, image: string): void {
    const message = `Back-off pulling image "${image}": not found`;
    const state = { waiting: { reason: "ImagePullBackOff", message } };
    const containerStatuses = [{ ...containerStatus(pod, 0), ready: false, started: false, state }];
    this.#setStatus(pod, { phase: "Pending", conditions: conditions(false), containerStatuses });
  }

  #current({ metadata }: KubeObject): KubeObject | undefined {
    const found = this.#store.find("pods", metadata.namespace!, metadata.name);
    return found?.metadata.uid === metadata.uid ? found : undefined;
  }

  #setStatus(pod: KubeObject, status: object): void {
    if (this.#current(pod) === undefined) return;
    this.#store.update("pods", pod.metadata.namespace!, pod.metadata.name, (object) => {
      object.status = { ...object.status, ...status };
    });
  }
}

const keyOf = ({ metadata }: KubeObject) => `${metadata.namespace}/${metadata.name}`;

const isStuck = ({ status }: KubeObject) =>
  status?.containerStatuses !== undefined ||
  status?.conditions?.some(({ reason }: { reason?: string }) => reason === "Unschedulable") === true;

function containerStatus(pod: KubeObject, restartCount: number) {
  const { name, image } = mainContainer(pod);
  return { name, image, imageID: image, restartCount };
}

function conditions(isReady: boolean) {
  const status = isReady ? "True" : "False";
  return [
    { type: "PodScheduled", status: "True" },
    { type: "ContainersReady", status },
    { type: "Ready", status },
  ];
}

function stopped(exitCode: number, reason: string) {
  const terminated = { exitCode, reason, finishedAt: timestamp() };
  return {
    conditions: conditions(false),
    containerStatuses: [{ name: "sandbox", ready: false, state: { terminated } }],
  };
}

/** Whatever was done with a box that ended meanwhile. */
const isOfEnd = (error: unknown) =>
  /EPIPE|ECONNRESET|ENOENT|^The box .* is (?:destroyed|stopped)/.test((error as Error).message);

async function drain(stream: AsyncIterable<unknown>): Promise<void> {
  try {
    for await (const _ of stream);
  } catch {
    // The box ended.
  }
}
