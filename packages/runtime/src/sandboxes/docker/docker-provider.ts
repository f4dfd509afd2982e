import { randomBytes } from "node:crypto";
import type {
  ProviderCheck,
  Sandbox,
  SandboxCapabilities,
  SandboxProvider,
  SandboxSpec,
  SandboxSummary,
} from "../sandbox-provider.ts";
import { checkEngine } from "./check-engine.ts";
import { containerBody, sandboxLabel } from "./container-body.ts";
import { containerMounts } from "./container-mounts.ts";
import { DockerEngine, isProviderError } from "./docker-engine.ts";
import { DockerSandbox } from "./docker-sandbox.ts";
import type { DockerSettings } from "./docker-settings.ts";
import { engineAddress } from "./engine-address.ts";
import { EngineEvents } from "./engine-events.ts";
import { findImage } from "./image.ts";
import { inside } from "./inside.ts";
import { ensureNetwork } from "./internal-network.ts";
import { SandboxSockets } from "./sandbox-sockets.ts";
import { readRecord, recordLabels } from "./volume-record.ts";

export interface DockerProviderOptions extends DockerSettings {
  /** For the sockets of sandboxes without a network; made when it is missing, for its owner only. */
  readonly directory: string;
}

/** Sandboxes as containers of a Docker engine on this machine, each with a volume that has all it may write to. */
export function createDockerProvider(options: DockerProviderOptions): SandboxProvider {
  return new DockerProvider(options);
}

interface VolumeList {
  readonly Volumes:
    | readonly { readonly Name: string; readonly Labels: Readonly<Record<string, string>> | null }[]
    | null;
}

class DockerProvider implements SandboxProvider {
  readonly name = "docker";
  readonly can: SandboxCapabilities = {
    suspend: "memory",
    snapshot: false,
    extend: false,
    network: true,
    isolation: true,
  };
  readonly hasPrograms: boolean;
  readonly #options: DockerProviderOptions;
  readonly #engine: DockerEngine;
  readonly #events: EngineEvents;
  readonly #sockets: SandboxSockets;

  constructor(options: DockerProviderOptions) {
    this.#options = options;
    this.hasPrograms = options.programs === "image";
    this.#engine = new DockerEngine(engineAddress(options.host));
    this.#events = new EngineEvents(this.#engine);
    this.#sockets = new SandboxSockets(options.directory);
  }

  check(): Promise<readonly ProviderCheck[]> {
    return checkEngine(this.#engine, this.#options);
  }

  async create(spec: SandboxSpec, signal?: AbortSignal): Promise<Sandbox> {
    signal?.throwIfAborted();
    const id = `sa-${randomBytes(8).toString("hex")}`;
    const sandbox = this.#sandbox(id);
    try {
      await this.#make(id, spec, signal);
      return sandbox;
    } catch (error) {
      await sandbox.destroy().catch(() => {});
      throw error;
    }
  }

  /** Looks for the volume: without its container a sandbox is there still. An engine that does not answer has lost nothing. */
  async attach(id: string): Promise<Sandbox | undefined> {
    if (!/^sa-[0-9a-f]{16}$/.test(id)) return undefined;
    try {
      if ((await this.#engine.find("GET", `/volumes/${id}`)) === undefined) return undefined;
    } catch (error) {
      if (!isProviderError(error, "unavailable")) throw error;
    }
    return this.#sandbox(id);
  }

  async *list(label: { readonly key: string; readonly value: string }): AsyncIterable<SandboxSummary> {
    const filters = { label: [`${label.key}=${label.value}`, sandboxLabel] };
    const { Volumes } = await this.#engine.call<VolumeList>("GET", "/volumes", { query: { filters } });
    for (const { Name: id, Labels } of Volumes ?? []) {
      const { labels, createdAt } = readRecord(Labels ?? {});
      yield { id, labels, createdAt };
    }
  }

  watch(listener: (id: string) => void): () => void {
    return this.#events.watch(listener);
  }

  async dispose(): Promise<void> {
    this.#events.close();
    this.#engine.close();
  }

  #sandbox(id: string): DockerSandbox {
    return new DockerSandbox(id, { engine: this.#engine, sockets: this.#sockets, user: this.#options.user });
  }

  /** The volume first: it says what belongs to the sandbox, whoever is killed on the way. */
  async #make(id: string, spec: SandboxSpec, signal: AbortSignal | undefined): Promise<void> {
    const { settings, engine } = { settings: this.#options, engine: this.#engine };
    const image = await findImage(engine, spec.image ?? settings.image, settings.programs);
    signal?.throwIfAborted();
    const network = spec.network === "off" ? undefined : await ensureNetwork(engine, settings.network);
    const hasPort = network !== undefined && !network.isInternal;
    const { name, volumes } = image;
    const socketDirectory = hasPort ? undefined : this.#sockets.make(id);
    const mounts = await containerMounts(engine, { spec, settings, image: name, socketDirectory });
    const plan = { id, spec, settings, image: name, imageVolumes: volumes, mounts, network: network?.name, hasPort };
    const body = containerBody(plan);
    const programs = settings.programs === "image" || spec.programs !== undefined ? inside.programs : undefined;
    const Labels = recordLabels({ id, labels: spec.labels, createdAt: Date.now(), body, hasPort, programs });
    await engine.call("POST", "/volumes/create", { body: { Name: id, Labels } });
    signal?.throwIfAborted();
    await engine.call("POST", "/containers/create", { query: { name: id }, body });
    signal?.throwIfAborted();
  }
}
