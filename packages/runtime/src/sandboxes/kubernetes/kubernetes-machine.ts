import { posix } from "node:path";
import type { HostedMachine, MachineLife, RunOptions, RunResult } from "../hosted/hosted-machine.ts";
import { goneError, isProviderError } from "../hosted/provider-error.ts";
import { type SandboxEndpoint, type SandboxFile, SandboxProviderError } from "../sandbox-provider.ts";
import type { Cluster } from "./cluster.ts";
import { type ExecOptions, type ExecTarget, exec } from "./exec.ts";
import { type KubeObject, pods } from "./kube-object.ts";
import type { KubernetesSettings } from "./kubernetes-settings.ts";
import type { MachineKind } from "./machine-kind.ts";
import { kindOf } from "./machine-kinds.ts";
import { PodPorts } from "./pod-ports.ts";
import { isOver } from "./sandbox-kind.ts";
import { until } from "./until.ts";
import { uploadOf } from "./write-files.ts";

const runTimeoutMs = 60_000;
const uploadTimeoutMs = 10 * 60_000;
/** Its processes are told to end, which takes moments. */
const removalMs = 30_000;

/** What is started has nobody who waits for it. */
const detached = '"$@" </dev/null >/dev/null 2>&1 &';

export interface KubernetesMachineDeps {
  readonly cluster: Cluster;
  readonly settings: Pick<KubernetesSettings, "root" | "lifeMs" | "startTimeoutMs" | "reach">;
}

/** A sandbox in a cluster: an object of the API with a pod. */
export class KubernetesMachine implements HostedMachine {
  readonly id: string;
  /** Only where a volume is kept. */
  readonly suspend?: () => Promise<void>;
  readonly resume?: () => Promise<void>;
  readonly #kind: MachineKind;
  readonly #deps: KubernetesMachineDeps;
  readonly #ports: PodPorts;
  #target: Promise<ExecTarget> | undefined;

  constructor(id: string, deps: KubernetesMachineDeps, canSuspend: boolean) {
    this.id = id;
    this.#kind = kindOf(id)!;
    this.#deps = deps;
    this.#ports = new PodPorts(deps.cluster, deps.settings.reach);
    if (canSuspend) {
      this.suspend = () => this.#suspend();
      this.resume = () => this.#resume();
    }
  }

  async status(): Promise<MachineLife> {
    const object = await this.#read();
    return object === undefined ? gone : this.#kind.life(object);
  }

  run(command: readonly string[], { timeoutMs = runTimeoutMs }: RunOptions = {}): Promise<RunResult> {
    return this.#exec(command, { timeoutMs });
  }

  async launch(command: readonly string[]): Promise<void> {
    const { code, stderr } = await this.run(["sh", "-c", detached, "sh", ...command]);
    if (code !== 0) throw new SandboxProviderError("failed", `Nothing can be started in ${this.id}: ${stderr.trim()}`);
  }

  async write(files: readonly SandboxFile[]): Promise<void> {
    if (files.length === 0) return;
    const { command, input } = uploadOf(files, posix.dirname(this.#deps.settings.root));
    const { code, stderr } = await this.#exec(command, { timeoutMs: uploadTimeoutMs, input });
    if (code === 0) return;
    throw new SandboxProviderError(
      "failed",
      `Files cannot be written in ${this.id}: ${stderr.trim() || `exit code ${code}`}`,
    );
  }

  async endpoint(port: number): Promise<SandboxEndpoint> {
    await this.#running();
    this.#target = undefined;
    return this.#ports.endpoint((await this.#resolveTarget()).pod, port);
  }

  /** Never shorter. */
  async extend(lifeMs: number): Promise<void> {
    const { expiresAt } = await this.#running();
    const at = Date.now() + lifeMs;
    if (expiresAt !== undefined && expiresAt < at) await this.#patch(this.#kind.extended(at));
  }

  /** Also what is on its way out is waited for, so that nothing of it runs on. */
  async destroy(): Promise<void> {
    const { cluster } = this.#deps;
    const object = await this.#read();
    if (object === undefined) return;
    const pod = await this.#kind.pod(cluster, object);
    this.#ports.close();
    await this.#endingPod(pod, () => cluster.remove(this.#kind.resource, this.id));
  }

  /** Resolves when commands run in it; rejects with what the cluster says where that takes too long. */
  async untilRunning(signal?: AbortSignal): Promise<void> {
    const { startTimeoutMs } = this.#deps.settings;
    let why: string | undefined;
    const isRunning = async () => {
      const life = await this.status();
      why = life.why;
      if (life.state === "gone") throw goneError(this.id, why);
      if (life.state !== "running" && isHopeless(why)) throw notStarted(why);
      return life.state === "running";
    };
    if (!(await until(isRunning, startTimeoutMs, signal))) throw notStarted(why);
  }

  async #suspend(): Promise<void> {
    const object = await this.#existing();
    const pod = await this.#kind.pod(this.#deps.cluster, object);
    const life = this.#kind.life(object);
    this.#ports.close();
    this.#target = undefined;
    await this.#endingPod(pod, async () => {
      if (life.state !== "suspended" || isOver(life)) await this.#patch(this.#kind.suspended!);
    });
  }

  async #resume(): Promise<void> {
    const { cluster, settings } = this.#deps;
    const object = await this.#existing();
    const life = this.#kind.life(object);
    if (life.state === "running") return;
    if (isOver(life)) {
      const pod = await this.#kind.pod(cluster, object);
      if (pod !== undefined) await this.#endingPod(pod, () => cluster.remove(pods, pod));
    }
    if (life.state === "suspended") await this.#patch(this.#kind.resumed!(Date.now() + settings.lifeMs));
    this.#target = undefined;
    await this.untilRunning();
  }

  #exec(command: readonly string[], options: ExecOptions): Promise<RunResult> {
    return this.#inside((target) => exec(this.#deps.cluster, target, command, options));
  }

  /** Why it is not reached is asked of the API: what kubelets say tells little. */
  async #inside<T>(work: (target: ExecTarget) => Promise<T>): Promise<T> {
    this.#target ??= this.#resolveTarget();
    const target = await this.#target.catch((error: unknown) => {
      this.#target = undefined;
      throw error;
    });
    try {
      return await work(target);
    } catch (error) {
      this.#target = undefined;
      if (isProviderError(error, "unauthorized", "rate_limited")) throw error;
      await this.#running();
      if (isProviderError(error, "not_found"))
        throw new SandboxProviderError("unavailable", error.message, { cause: error });
      throw error;
    }
  }

  async #resolveTarget(): Promise<ExecTarget> {
    const { cluster } = this.#deps;
    const name = await this.#kind.pod(cluster, await this.#existing());
    const pod = name === undefined ? undefined : await cluster.read(pods, name);
    if (pod === undefined)
      throw new SandboxProviderError("stopped", `The sandbox ${this.id} has no pod at the moment.`);
    const [first] = (pod.spec?.containers ?? []) as readonly { readonly name: string }[];
    return { pod: pod.metadata.name, container: first?.name ?? "sandbox" };
  }

  async #running(): Promise<MachineLife> {
    const life = this.#kind.life(await this.#existing());
    if (life.state === "gone") throw goneError(this.id, life.why);
    if (life.state === "running") return life;
    const why = life.why === undefined ? "" : ` (${life.why})`;
    throw new SandboxProviderError("stopped", `The sandbox ${this.id} does not run: it is ${life.state}${why}.`);
  }

  async #existing(): Promise<KubeObject> {
    const object = await this.#read();
    if (object === undefined) throw goneError(this.id, gone.why);
    return object;
  }

  #read(): Promise<KubeObject | undefined> {
    return this.#deps.cluster.read(this.#kind.resource, this.id);
  }

  async #patch(change: object): Promise<void> {
    await this.#deps.cluster.patch(this.#kind.resource, this.id, change);
  }

  /** Resolves when it has ended; where that takes long it is only a matter of time. Another may be there under its name then. */
  async #endingPod(name: string | undefined, end: () => Promise<void>): Promise<void> {
    const { cluster } = this.#deps;
    const look = async () => (name === undefined ? undefined : (await cluster.read(pods, name))?.metadata.uid);
    const uid = await look();
    await end();
    if (uid !== undefined) await until(async () => (await look()) !== uid, removalMs);
  }
}

const gone = { state: "gone", why: "It is not in the cluster any more." } as const;

const notStarted = (why = "no reason is known") =>
  new SandboxProviderError("unavailable", `The cluster does not start the sandbox: ${why.replace(/\.$/, "")}.`);

/** What does not get better by waiting. */
const isHopeless = (why = "") =>
  /\b(?:ImagePullBackOff|ErrImageNeverPull|InvalidImageName|CreateContainerConfigError|WarmPoolNotFound)\b/.test(why);
