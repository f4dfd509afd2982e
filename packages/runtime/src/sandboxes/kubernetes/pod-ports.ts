import type { Agent } from "node:http";
import { agentFetch, portFetch } from "../node-fetch.ts";
import { type SandboxEndpoint, SandboxProviderError } from "../sandbox-provider.ts";
import type { Cluster } from "./cluster.ts";
import { pods } from "./kube-object.ts";
import type { KubernetesSettings } from "./kubernetes-settings.ts";
import { portAgent } from "./port-stream.ts";

/** Ports of a pod: by its address for who is in the cluster, else through the API. */
export class PodPorts {
  readonly #cluster: Cluster;
  readonly #isNear: boolean;
  #forward: { readonly key: string; readonly agent: Agent } | undefined;

  constructor(cluster: Cluster, reach: KubernetesSettings["reach"], env: NodeJS.ProcessEnv = process.env) {
    this.#cluster = cluster;
    this.#isNear = isNear(reach, env);
  }

  async endpoint(pod: string, port: number): Promise<SandboxEndpoint> {
    if (this.#isNear) return this.#direct(pod, port);
    const key = `${pod}:${port}`;
    if (this.#forward?.key !== key) {
      this.close();
      this.#forward = { key, agent: portAgent(this.#cluster, pod, port) };
    }
    return { url: `http://127.0.0.1:${port}`, headers: {}, fetch: agentFetch(this.#forward.agent) };
  }

  close(): void {
    this.#forward?.agent.destroy();
    this.#forward = undefined;
  }

  async #direct(pod: string, port: number): Promise<SandboxEndpoint> {
    const ip = (await this.#cluster.read(pods, pod))?.status?.podIP;
    if (typeof ip !== "string") throw new SandboxProviderError("unavailable", `The pod ${pod} has no address yet.`);
    const host = ip.includes(":") ? `[${ip}]` : ip;
    return { url: `http://${host}:${port}`, headers: {}, fetch: portFetch(port, ip) };
  }
}

/** Every pod is told where the API is. */
export function isNear(reach: KubernetesSettings["reach"], env: NodeJS.ProcessEnv): boolean {
  return reach === "auto" ? env.KUBERNETES_SERVICE_HOST !== undefined : reach === "pod-ip";
}
