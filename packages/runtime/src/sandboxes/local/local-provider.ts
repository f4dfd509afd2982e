import { randomBytes } from "node:crypto";
import { accessSync, chmodSync, constants, mkdirSync, statSync } from "node:fs";
import { mkdir, readdir, rename, rm, symlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { LONGEST_SOCKET_PATH } from "../node-fetch.ts";
import {
  type ProviderCheck,
  type Sandbox,
  type SandboxCapabilities,
  type SandboxProvider,
  SandboxProviderError,
  type SandboxSpec,
  type SandboxSummary,
} from "../sandbox-provider.ts";
import { type Bubblewrap, findBubblewrap } from "./bubblewrap.ts";
import { ControlGroups } from "./control-groups.ts";
import { LocalSandbox } from "./local-sandbox.ts";
import { isSandboxId, type SandboxFolder, sandboxFolder } from "./sandbox-folder.ts";
import { canSuspend } from "./sandbox-processes.ts";
import { readRecord, type SandboxRecord, writeRecord } from "./sandbox-record.ts";
import { isForsaken, unfinishedName } from "./unfinished-folder.ts";

export interface LocalProviderOptions {
  /** A directory for the folders of all sandboxes; made when it is missing, for its owner only. */
  readonly root: string;
  /** `auto` isolates with bubblewrap where that works, and says in `check` where it does not. */
  readonly isolation?: "auto" | "bubblewrap" | "none" | undefined;
  /** The program; found on the PATH unless it is named. */
  readonly bubblewrap?: string | undefined;
  /** `none` makes no control groups: nothing is limited. */
  readonly controlGroups?: "auto" | "none" | undefined;
}

/** A folder that has been without a record for so long is of no use to anybody. */
const HALF_MADE_MS = 10 * 60_000;

/** Sandboxes on this machine: a folder and a process tree each, kept apart by bubblewrap where that is to be had. */
export function createLocalProvider(options: LocalProviderOptions): SandboxProvider {
  return new LocalProvider(options);
}

class LocalProvider implements SandboxProvider {
  readonly name = "local";
  readonly can: SandboxCapabilities;
  readonly #root: string;
  readonly #isolation: SandboxRecord["isolation"];
  readonly #bubblewrap: Bubblewrap | { readonly problem: string };
  readonly #bubblewrapPath: string | undefined;
  #groups: ControlGroups | undefined;

  constructor({ root, isolation = "auto", bubblewrap, controlGroups = "auto" }: LocalProviderOptions) {
    if (controlGroups === "none") this.#groups = new ControlGroups([]);
    this.#root = resolve(root);
    this.#bubblewrapPath = bubblewrap;
    this.#bubblewrap = isolation === "none" ? { problem: "Isolation is switched off." } : findBubblewrap(bubblewrap);
    const isIsolated = isolation === "bubblewrap" || (isolation === "auto" && "path" in this.#bubblewrap);
    this.#isolation = isIsolated ? "bubblewrap" : "none";
    this.can = {
      suspend: canSuspend ? "memory" : false,
      snapshot: false,
      extend: false,
      network: isIsolated,
      isolation: isIsolated,
    };
  }

  async check(): Promise<readonly ProviderCheck[]> {
    return [this.#checkRoot(), this.#checkIsolation(), this.#checkLimits()];
  }

  async create(spec: SandboxSpec, signal?: AbortSignal): Promise<Sandbox> {
    signal?.throwIfAborted();
    this.#refuseImpossible(spec);
    this.#makeRoot();
    const id = newId();
    const folder = sandboxFolder(this.#root, id);
    const groups = this.#controlGroups().pathsFor(id, spec);
    const record: SandboxRecord = { id, createdAt: Date.now(), isolation: this.#isolation, spec, groups };
    const making = sandboxFolder(this.#root, unfinishedName());
    try {
      await makeFolder(making, record);
      signal?.throwIfAborted();
      writeRecord(making, record);
      await rename(making.path, folder.path);
    } catch (cause) {
      await rm(making.path, { recursive: true, force: true });
      if (signal?.aborted) throw cause;
      throw new SandboxProviderError("failed", `The sandbox's folder could not be made: ${(cause as Error).message}`, {
        cause,
      });
    }
    return this.#sandbox(folder, record);
  }

  async attach(id: string): Promise<Sandbox | undefined> {
    if (!isSandboxId(id)) return undefined;
    const folder = sandboxFolder(this.#root, id);
    const record = readRecord(folder);
    return record === undefined ? undefined : this.#sandbox(folder, record);
  }

  async *list(label: { readonly key: string; readonly value: string }): AsyncIterable<SandboxSummary> {
    const names = await readdir(this.#root).catch(() => []);
    for (const name of names.filter(isForsaken)) await rm(join(this.#root, name), { recursive: true, force: true });
    for (const id of names.filter(isSandboxId)) {
      const folder = sandboxFolder(this.#root, id);
      const record = readRecord(folder);
      if (record === undefined) await removeHalfMade(folder);
      else if (record.spec.labels[label.key] === label.value) {
        yield { id, labels: record.spec.labels, createdAt: record.createdAt };
      }
    }
  }

  async dispose(): Promise<void> {}

  #sandbox(folder: SandboxFolder, record: SandboxRecord): Sandbox {
    return new LocalSandbox(folder, record, () => this.#requireBubblewrap());
  }

  #requireBubblewrap(): Bubblewrap {
    // A sandbox that was made isolated stays so, whatever holds for new ones.
    const found = this.#isolation === "none" ? findBubblewrap(this.#bubblewrapPath) : this.#bubblewrap;
    if ("problem" in found) throw unavailable(found.problem);
    return found;
  }

  #refuseImpossible(spec: SandboxSpec): void {
    if (this.#isolation === "bubblewrap") this.#requireBubblewrap();
    if (spec.network !== "off") return;
    if (!this.can.network) throw unavailable("Without bubblewrap the network of a sandbox cannot be switched off.");
    if (sandboxFolder(this.#root, newId()).socket.length > LONGEST_SOCKET_PATH)
      throw unavailable(`${this.#root} is too long a path for sandboxes without a network. Name a shorter root.`);
  }

  #controlGroups(): ControlGroups {
    this.#groups ??= new ControlGroups();
    return this.#groups;
  }

  #makeRoot(): void {
    mkdirSync(this.#root, { recursive: true, mode: 0o700 });
    if ((statSync(this.#root).mode & 0o077) !== 0) chmodSync(this.#root, 0o700);
  }

  #checkRoot(): ProviderCheck {
    try {
      this.#makeRoot();
      accessSync(this.#root, constants.R_OK | constants.W_OK | constants.X_OK);
      return { name: "folder", ok: true, detail: `Sandboxes are kept in ${this.#root}.` };
    } catch (error) {
      const detail = `${this.#root} cannot be used: ${(error as Error).message}. Name a directory that you may write to.`;
      return { name: "folder", ok: false, detail };
    }
  }

  #checkIsolation(): ProviderCheck {
    const name = "isolation";
    if (this.#isolation === "none") {
      const why = "problem" in this.#bubblewrap ? this.#bubblewrap.problem : "";
      const detail = `Sandboxes see the files and processes of this machine. ${why}`;
      return { name, ok: false, detail };
    }
    if ("problem" in this.#bubblewrap) return { name, ok: false, detail: this.#bubblewrap.problem };
    const { version, disablesNamespaces } = this.#bubblewrap;
    const old = disablesNamespaces ? "" : " It is older than 0.8 and lets programs inside make user namespaces.";
    return { name, ok: true, detail: `bubblewrap ${version} keeps sandboxes apart.${old}` };
  }

  #checkLimits(): ProviderCheck {
    const missing = this.#controlGroups().missing.filter((controller) => controller !== "freezer");
    const name = "limits";
    if (missing.length === 0)
      return { name, ok: true, detail: "Memory, processes and CPU time of a sandbox can be limited." };
    const detail = `These cannot be limited: ${missing.join(", ")}. Run the runtime as root, or where control groups are delegated to it.`;
    return { name, ok: false, detail };
  }
}

const newId = () => `sb-${randomBytes(8).toString("hex")}`;
const unavailable = (why: string) => new SandboxProviderError("unavailable", why);

async function makeFolder(folder: SandboxFolder, { isolation, spec }: SandboxRecord): Promise<void> {
  await mkdir(folder.path, { mode: 0o700 });
  for (const path of [folder.home, folder.workspace, folder.data, folder.run, folder.tmp, folder.ctl]) {
    await mkdir(path, { mode: 0o700 });
  }
  if (spec.programs === undefined) return;
  const programs = join(folder.data, "programs");
  if (isolation === "bubblewrap") await mkdir(programs, { mode: 0o700 });
  else await symlink(spec.programs, programs);
}

async function removeHalfMade({ path }: SandboxFolder): Promise<void> {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats !== undefined && Date.now() - stats.mtimeMs > HALF_MADE_MS)
    await rm(path, { recursive: true, force: true });
}
