import { randomBytes } from "node:crypto";
import {
  type ProviderCheck,
  type Sandbox,
  type SandboxCapabilities,
  type SandboxProvider,
  SandboxProviderError,
  type SandboxSpec,
  type SandboxSummary,
} from "../sandbox-provider.ts";
import { type BoxState, CloudflareSandbox } from "./cloudflare-sandbox.ts";
import type { CloudflareSettings } from "./cloudflare-settings.ts";
import { WorkerClient } from "./worker-client.ts";

/** Of what this provider and the Worker say to each other. */
const apiVersion = 1;
const createLimitMs = 120_000;
const defaultIdleMs = 10 * 60_000;

interface BoxPage {
  readonly boxes: readonly SandboxSummary[];
  readonly next?: string;
}

/** Sandboxes as containers at Cloudflare, made by a Worker in front of them; its image has the daemon and the agents. */
export function createCloudflareProvider(settings: CloudflareSettings): SandboxProvider {
  return new CloudflareProvider(settings);
}

class CloudflareProvider implements SandboxProvider {
  readonly name = "cloudflare";
  readonly can: SandboxCapabilities = {
    suspend: false,
    snapshot: false,
    extend: true,
    network: true,
    isolation: true,
  };
  readonly hasPrograms = true;
  readonly #settings: CloudflareSettings;
  readonly #worker: WorkerClient;

  constructor(settings: CloudflareSettings) {
    this.#settings = settings;
    this.#worker = new WorkerClient(settings);
  }

  async check(): Promise<readonly ProviderCheck[]> {
    return [
      await this.#checkWorker(),
      { name: "image", ok: true, detail: "Sandboxes are made of the image that the Worker was deployed with." },
      { name: "isolation", ok: true, detail: "Each sandbox is a virtual machine of its own at Cloudflare." },
      {
        name: "end",
        ok: true,
        detail: "A container that nobody uses is lost with its files after limits.sandboxLifeMs.",
      },
    ];
  }

  /** Asked again with the same name the Worker answers the same one; a name that was ended it refuses. */
  async create(spec: SandboxSpec, signal?: AbortSignal): Promise<Sandbox> {
    signal?.throwIfAborted();
    refuseWishes(spec);
    const sandbox = new CloudflareSandbox(`sa-${randomBytes(8).toString("hex")}`, this.#worker);
    const { labels, env = {}, network = "on" } = spec;
    const idleMs = spec.idleMs ?? spec.lifeMs ?? defaultIdleMs;
    const call = { body: { labels, env, idleMs, network }, signal, limitMs: createLimitMs };
    try {
      await this.#worker.json("PUT", `/boxes/${sandbox.id}`, call);
      signal?.throwIfAborted();
      return sandbox;
    } catch (error) {
      await sandbox.destroy().catch(() => {});
      throw error;
    }
  }

  async attach(id: string): Promise<Sandbox | undefined> {
    if (!/^sa-[0-9a-f]{16}$/.test(id)) return undefined;
    const found = await this.#worker.find<BoxState>("GET", `/boxes/${id}`);
    return found === undefined || found.state === "gone" ? undefined : new CloudflareSandbox(id, this.#worker);
  }

  async *list({ key, value }: { readonly key: string; readonly value: string }): AsyncIterable<SandboxSummary> {
    for (let after: string | undefined = ""; after !== undefined; ) {
      const query = new URLSearchParams({ label: `${key}:${value}`, after });
      const page: BoxPage = await this.#worker.json<BoxPage>("GET", `/boxes?${query}`);
      yield* page.boxes;
      after = page.next;
    }
  }

  /** Connections hold up nothing. */
  async dispose(): Promise<void> {}

  async #checkWorker(): Promise<ProviderCheck> {
    const name = "worker";
    try {
      const { service, version } = await this.#worker.json<{ service?: unknown; version?: unknown }>("GET", "/");
      if (service === "sandbox-agent-boxes" && version === apiVersion)
        return { name, ok: true, detail: `The Worker at ${this.#settings.url} answers and takes the key.` };
      const detail = `The Worker at ${this.#settings.url} is of another version (${String(version)}, not ${apiVersion}). Deploy the one in examples/cloudflare of this release.`;
      return { name, ok: false, detail };
    } catch (error) {
      return { name, ok: false, detail: (error as Error).message };
    }
  }
}

/** What only the Worker's deployment decides. */
function refuseWishes({ image, cpus, memoryMiB }: SandboxSpec): void {
  const wishes = Object.entries({ image, cpus, memoryMiB }).filter(([, wish]) => wish !== undefined);
  if (wishes.length === 0) return;
  const names = wishes.map(([name]) => name).join(" and ");
  const detail = `Containers at Cloudflare have the image and the size that wrangler.jsonc of the Worker names: leave out ${names}, or change image or instance_type there and deploy it again.`;
  throw new SandboxProviderError("unavailable", detail);
}
