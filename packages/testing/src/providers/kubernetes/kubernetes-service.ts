import { randomBytes } from "node:crypto";
import type { Box } from "../box/box.ts";
import { openBoxHost } from "../box/box-host.ts";
import type { Faults } from "../faults.ts";
import { Ledger } from "../ledger.ts";
import type { ProviderService, ServiceOptions, ServiceRequest } from "../provider-service.ts";
import { AgentSandboxController } from "./agent-sandbox-controller.ts";
import { ApiServer } from "./api-server.ts";
import { isOwnedBy, type KubeObject, type Plural, resources } from "./kube-object.ts";
import { KubeconfigFile } from "./kubeconfig.ts";
import { Kubelet } from "./kubelet.ts";
import { Machines } from "./machines.ts";
import { ObjectStore } from "./object-store.ts";
import { Permissions, type PolicyRule } from "./permissions.ts";
import { PodStreams } from "./pod-streams.ts";
import { type AgentSandbox, ServedResources } from "./versions.ts";
import { Watches } from "./watches.ts";

const namespace = "sandboxes";

export interface KubernetesOptions extends ServiceOptions {
  /** Default: all of it. */
  readonly agentSandbox?: AgentSandbox | undefined;
  /** The newest protocol of commands in pods; with the fourth nobody can say that the standard input ends. Default: the fifth. */
  readonly execProtocol?: "v4" | "v5" | undefined;
  /** What the account may do in its namespace. Default: everything. */
  readonly rules?: readonly PolicyRule[] | undefined;
  /** What there is from the start, e.g. a template and a pool of it. */
  readonly objects?: readonly KubeObject[] | undefined;
}

/** A cluster as far as one computer has them: the API with its watches and streams, a kubelet, and agent-sandbox. */
export class KubernetesService implements ProviderService {
  readonly name = "kubernetes";
  readonly namespace = namespace;
  readonly ledger = new Ledger();
  readonly permissions: Permissions;
  readonly #store = new ObjectStore();
  readonly #kubeconfig = new KubeconfigFile();
  readonly #kubelet: Kubelet;
  readonly #machines: Machines;
  readonly #controller: AgentSandboxController;
  readonly #streams: PodStreams;
  readonly #watches = new Watches(this.#store);
  readonly #api: ApiServer;
  #token = randomBytes(16).toString("hex");

  private constructor(options: KubernetesOptions, kubelet: (store: ObjectStore) => Kubelet) {
    const { agentSandbox = "v1beta1", execProtocol = "v5", rules, onRequest } = options;
    this.#kubelet = kubelet(this.#store);
    this.permissions = new Permissions(rules);
    this.#streams = new PodStreams(execProtocol);
    this.#api = new ApiServer({
      store: this.#store,
      kubelet: this.#kubelet,
      permissions: this.permissions,
      served: new ServedResources(agentSandbox),
      streams: this.#streams,
      watches: this.#watches,
      isToken: (token) => token === this.#token,
      onRequest,
    });
    const remove = (plural: Plural, object: KubeObject) => this.#api.remove(plural, object);
    this.#controller = new AgentSandboxController(this.#store, remove);
    this.#machines = new Machines(this.#store, this.ledger, (object) => this.#kubelet.boxOf(object));
    this.#store.listen(({ type, object }) => {
      if (type === "DELETED") this.#collect(object);
    });
    for (const object of options.objects ?? []) this.apply(object);
  }

  static async start(options: KubernetesOptions = {}): Promise<KubernetesService> {
    const host = await openBoxHost();
    const service = new KubernetesService(options, (store) => new Kubelet(store, host, options));
    await service.#api.http.listen(options.port);
    service.#kubeconfig.write(service.#account);
    return service;
  }

  get settings() {
    return { kubeconfig: this.#kubeconfig.path, namespace };
  }

  get env() {
    return { KUBECONFIG: this.#kubeconfig.path };
  }

  get url(): string {
    return this.#api.http.url;
  }

  get boxes(): ReadonlyMap<string, Box> {
    return this.#machines.boxes;
  }

  get faults(): Faults {
    return this.#api.http.faults;
  }

  get requests(): readonly ServiceRequest[] {
    return this.#api.http.requests;
  }

  /** All objects of a kind, as they are kept. */
  objects(plural: Plural): KubeObject[] {
    return this.#store.list(plural, namespace);
  }

  /** What somebody else in the cluster does: make an object or change it. */
  apply(object: KubeObject): void {
    const { plural } = resources.find(({ kind }) => kind === object.kind) ?? {};
    if (plural === undefined) throw new Error(`This cluster has no ${object.kind}.`);
    const status = object.kind === "Pod" ? { phase: "Pending" } : undefined;
    const there = this.#store.find(plural, namespace, object.metadata.name);
    if (there) this.#store.update(plural, namespace, object.metadata.name, () => ({ ...there, ...object }));
    else this.#store.create(plural, namespace, { ...object, ...(status ? { status } : {}) });
  }

  async lose(id: string): Promise<void> {
    this.#machines.endsBy(id, "fault");
    const lost = this.#machines.objectsOf(id);
    for (const { plural, object } of lost) this.#store.remove(plural, namespace, object.metadata.name);
    await this.boxes.get(id)?.destroy();
  }

  async expire(id: string): Promise<void> {
    const objects = this.#machines.objectsOf(id);
    const claim = objects.find(({ plural }) => plural === "sandboxclaims");
    const sandbox = objects.find(({ plural }) => plural === "sandboxes");
    if (sandbox?.object.spec.shutdownPolicy !== "Retain") this.#machines.endsBy(id, "deadline");
    if (claim) this.#api.remove("sandboxclaims", claim.object);
    else if (sandbox) this.#controller.expire(sandbox.object);
    else await this.#failPod(id, "DeadlineExceeded", "Pod was active on the node longer than the specified deadline");
    await this.#untilNoPod(id);
  }

  /** Its node needs the room. */
  async evict(id: string): Promise<void> {
    this.#machines.endsBy(id, "fault");
    await this.#failPod(id, "Evicted", "The node was low on resource: memory.");
  }

  /** The account's token is another from now on; `isKnown`: its kubeconfig has it. */
  changeToken({ isKnown }: { readonly isKnown: boolean }): void {
    this.#token = randomBytes(16).toString("hex");
    if (isKnown) this.#kubeconfig.write(this.#account);
  }

  /** Commands and forwarded connections that are open. */
  get streams(): number {
    return this.#streams.open;
  }

  get watches(): number {
    return this.#watches.open;
  }

  breakStreams(): void {
    this.#streams.breakAll();
  }

  endWatches(): void {
    this.#watches.endAll();
  }

  /** Forget former changes: who asks for them is told `410`. */
  compact(): void {
    this.#store.compact();
  }

  async close(): Promise<void> {
    for (const { id } of this.ledger.alive) this.#machines.endsBy(id, "service");
    this.#controller.close();
    this.#streams.close();
    await this.#api.http.close();
    await this.#kubelet.close();
    this.#kubeconfig.remove();
  }

  get #account() {
    return { server: this.url, token: this.#token, namespace };
  }

  async #failPod(id: string, reason: string, message: string): Promise<void> {
    const pod = this.#machines.objectsOf(id).find(({ plural }) => plural === "pods");
    if (pod) await this.#kubelet.fail(pod.object, reason, message);
  }

  /** A pod that is over may stay, so that somebody can look at it. */
  async #untilNoPod(id: string): Promise<void> {
    const runs = () =>
      this.#machines
        .objectsOf(id)
        .some(({ plural, object }) => plural === "pods" && !/^(Succeeded|Failed)$/.test(object.status?.phase));
    if (!runs()) return;
    await new Promise<void>((resolve) => {
      const stop = this.#store.listen(() => {
        if (runs()) return;
        stop();
        resolve();
      });
    });
  }

  /** What belonged to an object that is gone goes, too. */
  #collect(owner: KubeObject): void {
    for (const plural of ["sandboxes", "pods", "persistentvolumeclaims"] as const) {
      for (const object of this.#store.list(plural, namespace)) {
        if (isOwnedBy(object, owner)) this.#api.remove(plural, object);
      }
    }
  }
}
