import { readFileSync } from "node:fs";
import type {
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  RequestContext,
  V1APIGroupList,
  V1SelfSubjectAccessReview,
} from "@kubernetes/client-node";
import { importSdk } from "../hosted/import-sdk.ts";
import { isProviderError } from "../hosted/provider-error.ts";
import { type RetryOptions, retrying } from "../hosted/retrying.ts";
import { SandboxProviderError } from "../sandbox-provider.ts";
import type { KubeObject, Resource } from "./kube-object.ts";
import { kubernetesError } from "./kubernetes-error.ts";
import type { KubernetesSettings } from "./kubernetes-settings.ts";
import type { PolicyRule } from "./role.ts";

type Sdk = typeof import("@kubernetes/client-node");
type ClusterSettings = Pick<KubernetesSettings, "kubeconfig" | "context" | "namespace">;

const requestTimeoutMs = 30_000;
const handshakeTimeoutMs = 30_000;
const pageSize = 200;
const accountNamespace = "/var/run/secrets/kubernetes.io/serviceaccount/namespace";

interface Connection {
  readonly sdk: Sdk;
  readonly config: KubeConfig;
  readonly namespace: string;
  readonly core: CoreV1Api;
  readonly custom: CustomObjectsApi;
}

type Options = { readonly signal?: AbortSignal | undefined };
/** What a WebSocket to the API is used for. */
export interface Channels {
  send(channel: number, data: Uint8Array): Promise<void>;
  close(): void;
  /** A program whose only open connection this is may end. */
  hold(isHeld: boolean): void;
}

export interface ChannelsListener {
  /** False where it was enough. */
  onData(channel: number, data: Buffer): boolean;
  onClose(): void;
}

/**
 * One namespace of a cluster, by the official client. What may be asked twice is asked again when the API does not answer for
 * the moment; every failure is a `SandboxProviderError`.
 */
export class Cluster {
  readonly #settings: ClusterSettings;
  #connection: Promise<Connection> | undefined;

  constructor({ kubeconfig, context, namespace }: ClusterSettings) {
    this.#settings = { kubeconfig, context, namespace };
  }

  async namespace(): Promise<string> {
    return (await this.#connected()).namespace;
  }

  /** Under a name of the caller's: one that is there already, because an answer was lost, is the answer. */
  create(resource: Resource, body: KubeObject, { signal }: Options = {}): Promise<KubeObject> {
    const find = () => this.read(resource, body.metadata.name);
    return this.#again(
      `create ${resource.plural}`,
      (api, options) =>
        resource.group === ""
          ? api.core.createNamespacedPod({ namespace: api.namespace, body: body as never }, options)
          : api.custom.createNamespacedCustomObject({ ...placeOf(resource, api), body }, options),
      { signal, creates: true, find },
    );
  }

  /** Undefined where there is none. */
  async read(resource: Resource, name: string): Promise<KubeObject | undefined> {
    try {
      return await this.#again(`get ${resource.plural}`, (api, options) =>
        resource.group === ""
          ? api.core.readNamespacedPod({ namespace: api.namespace, name }, options)
          : api.custom.getNamespacedCustomObject({ ...placeOf(resource, api), name }, options),
      );
    } catch (error) {
      if (isProviderError(error, "not_found")) return undefined;
      throw error;
    }
  }

  async *list(resource: Resource, labelSelector: string): AsyncGenerator<KubeObject> {
    let more: string | undefined;
    do {
      const query = { labelSelector, limit: pageSize, ...(more === undefined ? {} : { _continue: more }) };
      const page = await this.#again<{ items: KubeObject[]; metadata?: { _continue?: string; continue?: string } }>(
        `list ${resource.plural}`,
        (api, options) =>
          resource.group === ""
            ? api.core.listNamespacedPod({ namespace: api.namespace, ...query }, options)
            : api.custom.listNamespacedCustomObject({ ...placeOf(resource, api), ...query }, options),
      );
      yield* page.items;
      more = page.metadata?._continue || page.metadata?.continue;
    } while (more);
  }

  /** A merge patch. */
  patch(resource: Resource, name: string, change: object): Promise<KubeObject> {
    return this.#again(`patch ${resource.plural}`, (api, options) => {
      const asMerge = api.sdk.setHeaderOptions("Content-Type", api.sdk.PatchStrategy.MergePatch, options as never);
      return resource.group === ""
        ? api.core.patchNamespacedPod({ namespace: api.namespace, name, body: change }, asMerge)
        : api.custom.patchNamespacedCustomObject({ ...placeOf(resource, api), name, body: change }, asMerge);
    });
  }

  /** Answers at once; it is gone a little later. Succeeds when it is gone already. */
  async remove(resource: Resource, name: string, gracePeriodSeconds?: number): Promise<void> {
    const grace = gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds };
    try {
      await this.#again<unknown>(`delete ${resource.plural}`, (api, options) =>
        resource.group === ""
          ? api.core.deleteNamespacedPod({ namespace: api.namespace, name, ...grace }, options)
          : api.custom.deleteNamespacedCustomObject({ ...placeOf(resource, api), name }, options),
      );
    } catch (error) {
      if (!isProviderError(error, "not_found")) throw error;
    }
  }

  /** Into a pod: `exec?command=…`, `portforward?ports=…`. Tried again only where it was refused. */
  connect(pod: string, path: string, listener: ChannelsListener): Promise<Channels> {
    const doing = `create pods/${path.split("?")[0]}`;
    return retrying(() =>
      this.#call(doing, async ({ sdk, config, namespace }) => {
        const { handler } = new sdk.Exec(brisk(config));
        Object.assign(handler, { streams: nowhere });
        const target = `/api/v1/namespaces/${namespace}/pods/${pod}/${path}`;
        const socket = await handler.connect(target, null, (channel, data) => listener.onData(channel, data));
        socket.onclose = () => listener.onClose();
        return channelsOf(socket as unknown as Socket);
      }),
    );
  }

  /** Which of these the account may not do: `create pods`, `get pods/exec`. */
  async missing(rules: readonly PolicyRule[]): Promise<readonly string[]> {
    const wanted = rules.flatMap(({ apiGroups, resources, verbs }) =>
      resources.flatMap((name) => verbs.map((verb) => ({ group: apiGroups[0]!, name, verb }))),
    );
    const reviewed = wanted.map(async ({ group, name, verb }) => {
      const [resource, subresource] = name.split("/") as [string, string?];
      const { status } = await this.#again<V1SelfSubjectAccessReview>(
        "review its rights",
        ({ sdk, config, namespace }, options) => {
          const asked = { namespace, verb, group, resource, ...(subresource === undefined ? {} : { subresource }) };
          const body = { spec: { resourceAttributes: asked } };
          return config.makeApiClient(sdk.AuthorizationV1Api).createSelfSubjectAccessReview({ body }, options);
        },
      );
      return status?.allowed === true ? [] : [`${verb} ${name}${group === "" ? "" : `.${group}`}`];
    });
    return (await Promise.all(reviewed)).flat();
  }

  /** The group versions that it serves, e.g. `agents.x-k8s.io/v1beta1`. */
  async served(): Promise<readonly string[]> {
    const { groups } = await this.#again<V1APIGroupList>("discover", ({ sdk, config }, options) =>
      config.makeApiClient(sdk.ApisApi).getAPIVersions({}, options),
    );
    return groups.flatMap(({ versions }) => versions.map(({ groupVersion }) => groupVersion));
  }

  #again<T>(
    doing: string,
    call: (api: Connection, options: object) => Promise<unknown>,
    { signal, ...retries }: RetryOptions<T> = {},
  ): Promise<T> {
    const attempt = () => this.#call(doing, (api) => call(api, bounded(api.sdk, signal)) as Promise<T>);
    return retrying(attempt, { signal, ...retries });
  }

  /** A kubeconfig that changed is read again when its credentials are refused. */
  async #call<T>(doing: string, work: (api: Connection) => Promise<T>): Promise<T> {
    for (let isSecond = false; ; isSecond = true) {
      const connection = this.#connected();
      const api = await connection;
      try {
        return await work(api);
      } catch (cause) {
        const error = kubernetesError(cause, doing);
        if (error.code === "unauthorized" && this.#connection === connection) this.#connection = undefined;
        if (isSecond || !error.message.startsWith("The cluster does not take")) throw error;
      }
    }
  }

  #connected(): Promise<Connection> {
    this.#connection ??= connect(this.#settings).catch((error: unknown) => {
      this.#connection = undefined;
      throw error;
    });
    return this.#connection;
  }
}

async function connect({ kubeconfig, context, namespace }: ClusterSettings): Promise<Connection> {
  const sdk = await importSdk("@kubernetes/client-node", () => import("@kubernetes/client-node"), "^1.4.0");
  const config = new sdk.KubeConfig();
  try {
    if (kubeconfig === undefined) config.loadFromDefault();
    else config.loadFromFile(kubeconfig);
    if (context !== undefined) config.setCurrentContext(context);
  } catch (cause) {
    const detail = `The kubeconfig cannot be read: ${(cause as Error).message}. Name another with KUBECONFIG or the setting kubeconfig.`;
    throw new SandboxProviderError("failed", detail, { cause });
  }
  if (config.getCurrentCluster() === null || config.getCurrentCluster()?.server === clientsDefault)
    throw new SandboxProviderError("failed", withoutCluster(context));
  const own = config.getContextObject(config.getCurrentContext())?.namespace ?? namespaceOfAccount() ?? "default";
  const core = config.makeApiClient(sdk.CoreV1Api);
  return { sdk, config, namespace: namespace ?? own, core, custom: config.makeApiClient(sdk.CustomObjectsApi) };
}

/** What the client takes where nothing says where a cluster is. */
const clientsDefault = "http://localhost:8080";

const withoutCluster = (context: string | undefined) =>
  context === undefined
    ? "No cluster is configured. Set KUBECONFIG or the setting kubeconfig, or run the runtime in the cluster with a service account."
    : `The kubeconfig has no context ${context} with a cluster; kubectl config get-contexts lists them.`;

function namespaceOfAccount(): string | undefined {
  try {
    return readFileSync(accountNamespace, "utf8").trim() || undefined;
  } catch {
    return undefined;
  }
}

const placeOf = ({ group, version, plural }: Resource, { namespace }: Connection) => ({
  group,
  version,
  plural,
  namespace,
});

/** The client has no time limits, and takes a signal only here. */
function bounded({ IsomorphicFetchHttpLibrary }: Sdk, signal: AbortSignal | undefined): object {
  const library = new IsomorphicFetchHttpLibrary();
  const limits = [AbortSignal.timeout(requestTimeoutMs), ...(signal ? [signal] : [])];
  return {
    httpApi: {
      send(request: RequestContext) {
        request.setSignal(AbortSignal.any(limits));
        return library.send(request);
      },
    },
  };
}

/** The same for WebSockets, which would wait for ever and compress. */
function brisk(config: KubeConfig): KubeConfig {
  const limited: Pick<KubeConfig, "getCurrentCluster" | "applyToHTTPSOptions"> = {
    getCurrentCluster: () => config.getCurrentCluster(),
    async applyToHTTPSOptions(options) {
      await config.applyToHTTPSOptions(options);
      Object.assign(options, { handshakeTimeout: handshakeTimeoutMs, perMessageDeflate: false });
    },
  };
  return limited as KubeConfig;
}

const closed = { pause() {}, end() {} };
/** The client would close this process's own streams when a server says that a stream ends. */
const nowhere = { stdin: closed, stdout: closed, stderr: closed };

/** What is used of the client's WebSockets, which are those of `ws`. */
interface Socket {
  readonly OPEN: number;
  readonly readyState: number;
  readonly _socket?: { ref(): void; unref(): void } | null;
  send(data: Buffer, callback: (error?: Error) => void): void;
  terminate(): void;
  close(): void;
}

function channelsOf(socket: Socket): Channels {
  return {
    send: (channel, data) =>
      new Promise((resolve, reject) => {
        if (socket.readyState !== socket.OPEN) return reject(new Error("The connection is closed."));
        socket.send(Buffer.concat([Buffer.of(channel), data]), (error) => (error ? reject(error) : resolve()));
      }),
    close: () => socket.terminate(),
    hold(isHeld) {
      if (isHeld) socket._socket?.ref();
      else socket._socket?.unref();
    },
  };
}
