import { mkdirSync, readdirSync, rmdirSync, writeFileSync } from "node:fs";
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
  return cgroupDirectories().find(({ controllers }) => controllers === null)?.own ?? null;
}

export interface CgroupDirectory {
  /** What a version 1 hierarchy controls; `null` for the one hierarchy of version 2. */
  readonly controllers: readonly string[] | null;
  /** The group of this process. */
  readonly own: string;
  /** The group that holds all others that can be seen. */
  readonly top: string;
}

/** Where this process stands in every hierarchy of control groups that is mounted. */
export function cgroupDirectories(
  memberships = readProcText("/proc/self/cgroup") ?? "",
  mounts = readProcText("/proc/self/mountinfo") ?? "",
): CgroupDirectory[] {
  const hierarchies = memberships.split("\n").flatMap((line) => {
    const [, names, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    return names === undefined || path === undefined ? [] : [{ names: names === "" ? null : names.split(","), path }];
  });
  return mounts.split("\n").flatMap((line) => {
    const [before = "", after = ""] = line.split(" - ");
    const [, , , root, top] = before.split(" ");
    const [type, , options = ""] = after.split(" ");
    const isMounted = ({ names }: { names: readonly string[] | null }) =>
      names === null
        ? type === "cgroup2"
        : type === "cgroup" && names.every((name) => options.split(",").includes(name));
    const membership = hierarchies.find(isMounted);
    if (membership === undefined || root === undefined || top === undefined) return [];
    const within = relative(root, membership.path);
    return within.startsWith("..") ? [] : [{ controllers: membership.names, own: join(top, within), top }];
  });
}
