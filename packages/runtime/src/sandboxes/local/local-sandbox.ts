import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, readdir, rename, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { ownNode } from "@sandbox-agent-ts/agents/processes";
import { portFetch, socketFetch } from "../node-fetch.ts";
import {
  type Sandbox,
  type SandboxEndpoint,
  type SandboxFile,
  type SandboxLife,
  SandboxProviderError,
} from "../sandbox-provider.ts";
import { type Bubblewrap, bubblewrapArguments, inside, nodeInside } from "./bubblewrap.ts";
import { makeGroups, memoryKills, removeGroups } from "./control-groups.ts";
import { exclusively } from "./exclusively.ts";
import { relay } from "./relay.ts";
import { sandboxEnvironment } from "./sandbox-environment.ts";
import type { SandboxFolder } from "./sandbox-folder.ts";
import { endProcesses, isSupervised, isSuspended, resumeProcesses, suspendProcesses } from "./sandbox-processes.ts";
import { readRecord, type SandboxRecord, writeRecord } from "./sandbox-record.ts";
import { describeEnd, exitStatus, logTail, startSupervised } from "./supervised-start.ts";
import { unfinishedName } from "./unfinished-folder.ts";
import { type Place, writeInside } from "./write-inside.ts";

/** A folder of this machine and the processes that were started for it. All that is known of it is on disk. */
export class LocalSandbox implements Sandbox {
  readonly id: string;
  readonly paths: Sandbox["paths"];
  readonly #folder: SandboxFolder;
  readonly #bubblewrap: () => Bubblewrap;
  readonly #places: readonly Place[];

  constructor(folder: SandboxFolder, record: SandboxRecord, bubblewrap: () => Bubblewrap) {
    this.id = record.id;
    this.#folder = folder;
    this.#bubblewrap = bubblewrap;
    const seen = record.isolation === "bubblewrap" ? inside : { ...folder, bundle: record.spec.bundle };
    const { home, workspace, data, bundle } = seen;
    this.paths = { home, workspace, data, bundle, programs: join(data, "programs") };
    this.#places = (["workspace", "home", "data"] as const).map((name) => ({
      inside: this.paths[name],
      outside: folder[name],
    }));
  }

  async status(): Promise<SandboxLife> {
    return lifeOf(this.#folder, readRecord(this.#folder));
  }

  async endpoint(): Promise<SandboxEndpoint> {
    const record = this.#record();
    const { state, why } = lifeOf(this.#folder, record);
    if (record.daemon === undefined || state === "failed") throw stopped(why);
    const { port } = record.daemon;
    if (port !== undefined) return { url: `http://127.0.0.1:${port}`, headers: {}, fetch: portFetch(port) };
    return { url: "http://localhost", headers: {}, fetch: socketFetch(this.#folder.socket) };
  }

  async start(command: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
    await this.#exclusively(async (record) => {
      const { state } = lifeOf(this.#folder, record);
      if (state === "suspended") await resumeProcesses(record);
      if (state === "suspended" || state === "running") return;
      await endProcesses(record);
      makeGroups(record.groups, record.spec);
      const port = record.spec.network === "off" ? undefined : await freePort();
      const program = await this.#program(record, command, port);
      const given = [record.spec.env ?? {}, env];
      const supervised = { ...program, groups: record.groups, env: this.#environment(record, given) };
      await startSupervised(this.#folder, supervised, (supervisor) =>
        writeRecord(this.#folder, { ...record, daemon: { ...supervisor, port } }),
      );
    });
  }

  async write(files: readonly SandboxFile[]): Promise<void> {
    this.#record();
    for (const file of files) await writeInside(this.#places, file);
  }

  /** Its life has no end. */
  async extend(): Promise<void> {}

  async suspend(): Promise<void> {
    await this.#exclusively(async (record) => {
      const { state, why } = lifeOf(this.#folder, record);
      if (state === "running") await suspendProcesses(record);
      else if (state !== "suspended") throw stopped(why);
    });
  }

  async resume(): Promise<void> {
    await this.#exclusively(async (record) => {
      if (isSuspended(record)) await resumeProcesses(record);
    });
  }

  async logs(maxBytes: number): Promise<string> {
    return logTail(this.#folder, maxBytes);
  }

  async destroy(): Promise<void> {
    if (readRecord(this.#folder) === undefined) return;
    await exclusively(this.#folder.lock, async () => {
      const record = readRecord(this.#folder);
      if (record === undefined) return;
      writeRecord(this.#folder, { ...record, isEnding: true });
      await endProcesses(record);
      await removeGroups(record.groups);
      await removeFolder(this.#folder);
    }).catch((error: unknown) => {
      if (existsSync(this.#folder.path)) throw error;
    });
  }

  #record(): SandboxRecord {
    const record = readRecord(this.#folder);
    if (record === undefined || record.isEnding) throw gone(this.id);
    return record;
  }

  async #exclusively(work: (record: SandboxRecord) => Promise<void>): Promise<void> {
    this.#record();
    await exclusively(this.#folder.lock, () => work(this.#record()));
  }

  async #program(
    record: SandboxRecord,
    command: readonly string[],
    port: number | undefined,
  ): Promise<{ command: string[]; cwd: string }> {
    const listening = [...command, "--host", "127.0.0.1", "--port", String(port)];
    if (record.isolation === "bubblewrap") {
      const bubblewrap = this.#bubblewrap();
      const run = port === undefined ? relay(this.#folder, command) : { mount: [], command: listening };
      const flags = bubblewrapArguments(bubblewrap, this.#folder, record, run.mount);
      return { command: [bubblewrap.path, ...flags, nodeInside().node, ...run.command], cwd: "/" };
    }
    const node = await ownNode(join(this.#folder.ctl, "bin"));
    if (node === undefined)
      throw new SandboxProviderError("unavailable", `${process.execPath} is not Node and cannot run the daemon.`);
    return { command: [node, ...listening], cwd: this.#folder.workspace };
  }

  #environment({ id, isolation }: SandboxRecord, given: readonly Readonly<Record<string, string>>[]) {
    const isIsolated = isolation === "bubblewrap";
    const path = isIsolated ? `${inside.node}/bin:/usr/local/bin:/usr/bin:/bin` : (process.env.PATH ?? "/usr/bin:/bin");
    const temporary = isIsolated ? "/tmp" : this.#folder.tmp;
    return sandboxEnvironment({ id, home: this.paths.home, path, temporary, given });
  }
}

function lifeOf(folder: SandboxFolder, record: SandboxRecord | undefined): SandboxLife {
  if (record === undefined) return { state: "gone", why: "It was removed." };
  if (record.isEnding) return { state: "gone", why: "It is being removed." };
  if (record.daemon === undefined) return { state: "starting" };
  const status = exitStatus(folder);
  if (status === undefined && isSupervised(record.daemon)) {
    return { state: isSuspended(record) ? "suspended" : "running" };
  }
  const ended = exitStatus(folder);
  const usedUp = memoryKills(record.groups) > 0 ? ` Its memory, ${record.spec.memoryMiB} MiB, was used up.` : "";
  return { state: "failed", why: describeEnd(ended) + usedUp };
}

/** The record goes last, so that what a killed process left over is found and removed by another. */
async function removeFolder({ path, ctl }: SandboxFolder): Promise<void> {
  for (const name of await readdir(path)) if (join(path, name) !== ctl) await removeTree(join(path, name));
  const leaving = join(dirname(path), unfinishedName());
  await rename(path, leaving);
  await removeTree(leaving);
}

/** Whoever works inside may have taken the right to write from its own directories. */
async function removeTree(path: string): Promise<void> {
  const remove = () => rm(path, { recursive: true, force: true, maxRetries: 3 });
  await remove().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "EACCES" && error.code !== "EPERM") throw error;
    await openDirectories(path);
    await remove();
  });
}

async function openDirectories(path: string): Promise<void> {
  await chmod(path, 0o700);
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.isDirectory()) await openDirectories(join(path, entry.name));
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

const stopped = (why = "No daemon was started in it yet.") => new SandboxProviderError("stopped", why);
const gone = (id: string) => new SandboxProviderError("not_found", `There is no sandbox ${id} any more.`);
