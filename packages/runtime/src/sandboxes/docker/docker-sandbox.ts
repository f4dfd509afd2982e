import { setTimeout as delay } from "node:timers/promises";
import { inTurn } from "../in-turn.ts";
import { portFetch } from "../node-fetch.ts";
import {
  type Sandbox,
  type SandboxEndpoint,
  type SandboxFile,
  type SandboxLife,
  SandboxProviderError,
} from "../sandbox-provider.ts";
import { type ContainerInfo, lifeOf } from "./container-life.ts";
import { type DockerEngine, isProviderError } from "./docker-engine.ts";
import { daemonPort, inside, volumeRoot } from "./inside.ts";
import { logTail } from "./log-tail.ts";
import type { SandboxSockets } from "./sandbox-sockets.ts";
import { type Owner, startArchive } from "./start-archive.ts";
import { readRecord, type VolumeRecord } from "./volume-record.ts";
import { writeArchive } from "./write-archive.ts";

/** Lines that are looked at for the last bytes of a log. */
const logLines = 5_000;
const removalAttempts = 50;
const removalPauseMs = 100;

export interface DockerSandboxDeps {
  readonly engine: DockerEngine;
  readonly sockets: SandboxSockets;
  readonly user: string;
}

/** A volume with all that is kept, and a container that is the daemon. All that is known of it is in the engine. */
export class DockerSandbox implements Sandbox {
  readonly id: string;
  readonly paths = {
    workspace: inside.workspace,
    home: inside.home,
    data: inside.data,
    bundle: inside.bundle,
    programs: inside.programs,
  };
  readonly #engine: DockerEngine;
  readonly #sockets: SandboxSockets;
  readonly #owner: Owner;

  constructor(id: string, { engine, sockets, user }: DockerSandboxDeps) {
    this.id = id;
    this.#engine = engine;
    this.#sockets = sockets;
    const [uid, gid] = user.split(":").map(Number) as [number, number];
    this.#owner = { uid, gid };
  }

  async status(): Promise<SandboxLife> {
    const container = await this.#container();
    if (container === undefined && (await this.#record()) === undefined)
      return { state: "gone", why: "It was removed." };
    return lifeOf(container);
  }

  async endpoint(): Promise<SandboxEndpoint> {
    const container = await this.#container();
    const { state, why } = lifeOf(container);
    if (container === undefined || state !== "running") {
      if (container === undefined) await this.#existing();
      throw new SandboxProviderError("stopped", why ?? "No daemon was started in it yet.");
    }
    if (!hasPort(container)) return { url: "http://localhost", headers: {}, fetch: this.#sockets.fetch(this.id) };
    const port = container.NetworkSettings.Ports?.[`${daemonPort}/tcp`]?.[0]?.HostPort;
    if (port === undefined) throw new SandboxProviderError("stopped", "Its container has no port yet.");
    return { url: `http://127.0.0.1:${port}`, headers: {}, fetch: portFetch(Number(port)) };
  }

  async start(command: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
    await inTurn(this.id, async () => {
      const record = await this.#existing();
      const { state } = lifeOf(await this.#ensureContainer(record));
      if (state === "suspended") await this.#act("unpause");
      if (state === "suspended" || state === "running") return;
      const { hasPort, programs } = record;
      if (!hasPort) this.#sockets.make(this.id);
      await this.#put(startArchive({ command, env, hasPort, programs, owner: this.#owner }));
      await this.#act("start");
    });
  }

  async write(files: readonly SandboxFile[]): Promise<void> {
    await inTurn(this.id, async () => {
      await this.#ensureContainer(await this.#existing());
      if (files.length === 0) return;
      const modeOf = (path: string) => this.#modeOf(path);
      await this.#put(await writeArchive(files, { ...this.#owner }, modeOf), { noOverwriteDirNonDir: true });
    });
  }

  /** Its life has no end. */
  async extend(): Promise<void> {}

  async suspend(): Promise<void> {
    await inTurn(this.id, async () => {
      const { state, why } = await this.status();
      if (state === "running") await this.#act("pause");
      else if (state !== "suspended")
        throw new SandboxProviderError("stopped", why ?? "No daemon was started in it yet.");
    });
  }

  async resume(): Promise<void> {
    await inTurn(this.id, async () => {
      if ((await this.status()).state === "suspended") await this.#act("unpause");
    });
  }

  async logs(maxBytes: number): Promise<string> {
    const query = { stderr: true, tail: logLines };
    try {
      return await logTail(await this.#engine.stream("GET", `/containers/${this.id}/logs`, { query }), maxBytes);
    } catch (error) {
      if (isProviderError(error, "not_found")) return "";
      throw error;
    }
  }

  async destroy(): Promise<void> {
    await inTurn(this.id, async () => {
      await this.#remove(`/containers/${this.id}`, { force: true, v: true });
      await this.#remove(`/volumes/${this.id}`, { force: true });
      this.#sockets.remove(this.id);
    });
  }

  #container(): Promise<ContainerInfo | undefined> {
    return this.#engine.find("GET", `/containers/${this.id}/json`);
  }

  async #record(): Promise<VolumeRecord | undefined> {
    const volume = await this.#engine.find<{ Labels: Record<string, string> | null }>("GET", `/volumes/${this.id}`);
    return volume && readRecord(volume.Labels ?? {});
  }

  async #existing(): Promise<VolumeRecord> {
    const record = await this.#record();
    if (record?.body === undefined)
      throw new SandboxProviderError("not_found", `There is no sandbox ${this.id} any more.`);
    return record;
  }

  /** Somebody may have removed it; what is in the volume stays. */
  async #ensureContainer({ body }: VolumeRecord): Promise<ContainerInfo> {
    const found = await this.#container();
    if (found !== undefined) return found;
    await this.#engine.call("POST", "/containers/create", { query: { name: this.id }, body });
    const made = await this.#container();
    if (made === undefined)
      throw new SandboxProviderError("conflict", "Its container was removed as soon as it was made.");
    return made;
  }

  async #act(action: "start" | "pause" | "unpause"): Promise<void> {
    await this.#engine.call("POST", `/containers/${this.id}/${action}`);
  }

  async #put(
    archive: ReturnType<typeof startArchive>,
    options: { noOverwriteDirNonDir?: boolean } = {},
  ): Promise<void> {
    const query = { path: volumeRoot, ...options };
    await this.#engine.call("PUT", `/containers/${this.id}/archive`, { query, archive });
  }

  /** As Go writes it: the kind of a file in its upper bits. Undefined where nothing is. */
  async #modeOf(path: string): Promise<number | undefined> {
    try {
      const { headers } = await this.#engine.stream("HEAD", `/containers/${this.id}/archive`, { query: { path } });
      const stat = Buffer.from(String(headers["x-docker-container-path-stat"]), "base64").toString();
      return (JSON.parse(stat) as { mode: number }).mode;
    } catch (error) {
      if (isProviderError(error, "not_found")) return undefined;
      throw error;
    }
  }

  /** Succeeds when it is gone already; waits for whoever else removes it. */
  async #remove(path: string, query: Readonly<Record<string, boolean>>): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#engine.find("DELETE", path, { query });
        return;
      } catch (error) {
        if (!isProviderError(error, "conflict") || attempt === removalAttempts) throw error;
        await delay(removalPauseMs);
      }
    }
  }
}

const hasPort = ({ HostConfig }: ContainerInfo) => Object.keys(HostConfig.PortBindings ?? {}).length > 0;
