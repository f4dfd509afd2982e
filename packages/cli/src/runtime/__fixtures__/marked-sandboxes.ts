import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { RuntimeStore } from "@sandbox-agent-ts/runtime";
import { createLocalProvider } from "@sandbox-agent-ts/runtime";
import { expect } from "vitest";
import { ControlGroups } from "../../../../runtime/src/sandboxes/local/control-groups.ts";
import { sandboxVariable } from "../../../../runtime/src/sandboxes/local/sandbox-processes.ts";
import { reapSandboxes } from "../../../../runtime/src/sandboxes/reaper.ts";
import type { CliHome } from "../../__fixtures__/cli-home.ts";

export interface SandboxProcess {
  readonly pid: number;
  /** The id of its sandbox; undefined outside of any. */
  readonly sandbox: string | undefined;
  readonly isDaemon: boolean;
}

const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** The local sandboxes of the runtimes of a home as the machine sees them: folders, processes and control groups. */
export class MarkedSandboxes {
  readonly #mark: string;
  readonly #root: string;
  readonly #seen = new Set<string>();

  constructor(home: CliHome) {
    this.#root = placesOf(home.dataDir).sandboxes;
    this.#mark = `NO_PROXY=${home.env.NO_PROXY}`;
  }

  get processes(): SandboxProcess[] {
    const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    const found = pids.flatMap((pid): SandboxProcess[] => {
      const variables = read(`/proc/${pid}/environ`).split("\0");
      if (!variables.includes(this.#mark)) return [];
      const sandbox = variables.find((one) => one.startsWith(`${sandboxVariable}=`))?.split("=")[1];
      const isDaemon = /^[^\0]*node\0[^\0]*sandbox-agent\.cjs\0server\0/.test(read(`/proc/${pid}/cmdline`));
      return [{ pid: Number(pid), sandbox, isDaemon }];
    });
    for (const { sandbox } of found) if (sandbox !== undefined) this.#seen.add(sandbox);
    for (const id of this.folders) this.#seen.add(id);
    return found;
  }

  get folders(): string[] {
    return existsSync(this.#root) ? readdirSync(this.#root) : [];
  }

  /** Control groups of all sandboxes that were ever seen, by their ids. */
  get groups(): string[] {
    const groups = new ControlGroups();
    const all = { memoryMiB: 1, maxProcesses: 1, cpus: 1 };
    return [...this.#seen].filter((id) => groups.pathsFor(id, all).some((path) => existsSync(path)));
  }

  /** No folder, process or control group is left but of sandboxes that sessions own. Nobody may use the store meanwhile. */
  async expectOwned(store: RuntimeStore): Promise<void> {
    const provider = createLocalProvider({ root: this.#root });
    await reapSandboxes({ store, provider, log: silent, startTimeoutMs: 0, graceMs: 0 });
    const owned: string[] = [];
    for (const { sessionId, providerId, state } of await store.sandboxes()) {
      if (sessionId === undefined || state === "ended") continue;
      expect(await store.session(sessionId), `the session of ${providerId}`).toBeDefined();
      owned.push(providerId);
    }
    const running = this.processes.map(({ sandbox }) => sandbox ?? "outside of any sandbox");
    expect(
      running.filter((sandbox) => !owned.includes(sandbox)),
      "processes",
    ).toEqual([]);
    expect(
      this.folders.filter((id) => !owned.includes(id)),
      "folders",
    ).toEqual([]);
    expect(
      this.groups.filter((id) => !owned.includes(id)),
      "control groups",
    ).toEqual([]);
  }

  /** Whatever a failed test has left. */
  async clear(): Promise<void> {
    const provider = createLocalProvider({ root: this.#root });
    for (const id of this.folders) await (await provider.attach(id))?.destroy();
    for (const { pid } of this.processes) kill(pid);
  }
}

/** Without a word; it may be gone already. */
export function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Gone.
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

/** Where `sandbox-agent runtime` keeps its things in a data directory. */
export const placesOf = (dataDir: string) => ({
  store: join(dataDir, "runtime", "runtime.db"),
  sandboxes: join(dataDir, "runtime", "sandboxes"),
});
