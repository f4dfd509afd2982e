import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { readProcText } from "./proc-stat.ts";

const prefix = "sandbox-agent.";

/**
 * A control group per process: what it starts belongs to it, whatever it does to its environment, group and session. Linux
 * lets us make one where a version 2 hierarchy is mounted writable, as in a user's session or for root; else there is none.
 */
export interface Cgroups {
  /** `null` where the process could not be put into one. */
  create(marker: string, pid: number): string | null;
  /** All groups that were made here, also by other daemons. */
  list(): readonly { readonly path: string; readonly marker: string }[];
}

export const noCgroups: Cgroups = { create: () => null, list: () => [] };

export function openCgroups(own: string | null = ownCgroup()): Cgroups {
  let directory = own;
  return {
    create(marker, pid) {
      if (directory === null) return null;
      const group = join(directory, `${prefix}${marker}`);
      try {
        mkdirSync(group);
      } catch {
        directory = null;
        return null;
      }
      try {
        writeFileSync(join(group, "cgroup.procs"), String(pid));
        return group;
      } catch {
        removeCgroup(group);
        return null;
      }
    },
    list() {
      const names = directory === null ? [] : childrenOf(directory).filter((name) => name.startsWith(prefix));
      return names.map((name) => ({ path: join(directory!, name), marker: name.slice(prefix.length) }));
    },
  };
}

/** Also of the groups that a process made inside its own. */
export function pidsOf(group: string): ReadonlySet<number> {
  const pids = (readProcText(join(group, "cgroup.procs")) ?? "").split("\n").filter(Boolean).map(Number);
  return new Set([...pids, ...childrenOf(group).flatMap((name) => [...pidsOf(join(group, name))])]);
}

/** Does nothing while a process is in it. */
export function removeCgroup(group: string): void {
  try {
    for (const name of childrenOf(group)) removeCgroup(join(group, name));
    rmdirSync(group);
  } catch {
    // Not empty, or gone.
  }
}

function childrenOf(group: string): string[] {
  try {
    return readdirSync(group, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []));
  } catch {
    return [];
  }
}

function ownCgroup(): string | null {
  try {
    const [, own] = /^0::(\/.*)$/m.exec(readFileSync("/proc/self/cgroup", "utf8")) ?? [];
    const mount = readFileSync("/proc/self/mountinfo", "utf8")
      .split("\n")
      .find((line) => line.includes(" - cgroup2 "));
    const [, , , root, place] = mount?.split(" ") ?? [];
    if (own === undefined || root === undefined || place === undefined) return null;
    const within = relative(root, own);
    return within.startsWith("..") ? null : join(place, within);
  } catch {
    return null;
  }
}
