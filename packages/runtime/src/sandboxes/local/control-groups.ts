import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type CgroupDirectory, cgroupDirectories, pidsOf, removeCgroup } from "@sandbox-agent-ts/agents/processes";
import { SandboxProviderError, type SandboxSpec } from "../sandbox-provider.ts";

export type Limits = Pick<SandboxSpec, "memoryMiB" | "maxProcesses" | "cpus">;

const controllers = ["memory", "pids", "cpu", "freezer"] as const;
export type Controller = (typeof controllers)[number];

const MIB = 1024 * 1024;
const CPU_PERIOD = 100_000;
const REMOVAL_LIMIT_MS = 10_000;

/** Where groups can be made on this machine, by what they control. Linux lets root, and few others. */
export class ControlGroups {
  readonly #parents = new Map<Controller, string>();

  constructor(directories: readonly CgroupDirectory[] = cgroupDirectories()) {
    const others: Controller[] = [];
    for (const controller of controllers) {
      const first = directories.find((directory) => directory.controllers?.includes(controller));
      if (first === undefined) others.push(controller);
      else if (canMake(first.own, controller)) this.#parents.set(controller, first.own);
    }
    const second = directories.find((directory) => directory.controllers === null);
    if (second !== undefined) this.#takeTogether(second, others);
  }

  /** Version 2 has one hierarchy, in which a process is in one group only: that has all there is for it. */
  #takeTogether({ own, top }: CgroupDirectory, wanted: readonly Controller[]): void {
    const ofOwn = wanted.filter((controller) => canMake(own, controller));
    const ofTop = ofOwn.length === wanted.length ? [] : wanted.filter((controller) => canMake(top, controller));
    const [parent, made] = ofTop.length > ofOwn.length ? [top, ofTop] : [own, ofOwn];
    for (const controller of made) this.#parents.set(controller, parent);
  }

  get missing(): readonly Controller[] {
    return controllers.filter((controller) => !this.#parents.has(controller));
  }

  /**
   * The groups that a sandbox of this name will have, nothing is made: for what is limited, and the one that holds its processes
   * together and still. To join one costs milliseconds.
   */
  pathsFor(id: string, { memoryMiB, maxProcesses, cpus }: Limits): string[] {
    const limits = { memory: memoryMiB, pids: maxProcesses, cpu: cpus, freezer: undefined };
    const holding = this.#parents.get("freezer") ?? [...this.#parents.values()][0];
    const limiting = controllers.filter((name) => limits[name] !== undefined).map((name) => this.#parents.get(name));
    const parents = new Set([holding, ...limiting].filter((parent) => parent !== undefined));
    return [...parents].map((parent) => join(parent, `sandbox-agent-${id}`));
  }
}

/** Only a trial tells: groups may be read-only, not ours, or without this controller. */
function canMake(parent: string, controller: Controller): boolean {
  if (controller !== "freezer") tryWrite(join(parent, "cgroup.subtree_control"), `+${controller}`);
  const trial = join(parent, `sandbox-agent-trial-${process.pid}`);
  try {
    mkdirSync(trial);
    return fileOf(trial, controller) !== undefined;
  } catch {
    return false;
  } finally {
    removeCgroup(trial);
  }
}

const limitFiles: Record<Controller, readonly string[]> = {
  memory: ["memory.max", "memory.limit_in_bytes"],
  pids: ["pids.max"],
  cpu: ["cpu.max", "cpu.cfs_quota_us"],
  freezer: ["cgroup.freeze", "freezer.state"],
};

function fileOf(group: string, controller: Controller): string | undefined {
  return limitFiles[controller].map((name) => join(group, name)).find((path) => existsSync(path));
}

/** Make the groups, if they are not there, and set the limits in those that can hold them. */
export function makeGroups(groups: readonly string[], limits: Limits): void {
  for (const group of groups) {
    mkdirSync(group, { recursive: true });
    const { memoryMiB, maxProcesses, cpus } = limits;
    const [memory, pids, cpu] = (["memory", "pids", "cpu"] as const).map((name) => fileOf(group, name));
    if (memory !== undefined && memoryMiB !== undefined) {
      writeFileSync(memory, String(memoryMiB * MIB));
      tryWrite(join(group, "memory.swap.max"), "0");
      tryWrite(join(group, "memory.memsw.limit_in_bytes"), String(memoryMiB * MIB));
    }
    if (pids !== undefined && maxProcesses !== undefined) writeFileSync(pids, String(maxProcesses));
    if (cpu !== undefined && cpus !== undefined) {
      const quota = String(Math.round(cpus * CPU_PERIOD));
      writeFileSync(cpu, cpu.endsWith("cpu.max") ? `${quota} ${CPU_PERIOD}` : quota);
    }
  }
}

/** A process that was killed is in its groups until its parent, often process 1, has heard of its end. */
export async function removeGroups(groups: readonly string[]): Promise<void> {
  const limit = Date.now() + REMOVAL_LIMIT_MS;
  for (const group of groups) {
    for (removeCgroup(group); existsSync(group); removeCgroup(group)) {
      if (Date.now() > limit) throw stillInUse(group);
      await sleep(5);
    }
  }
}

function stillInUse(group: string): SandboxProviderError {
  const pids = [...pidsOf(group)].join(", ") || "none that can be seen";
  return new SandboxProviderError(
    "failed",
    `The control group ${group} cannot be removed: processes are in it (${pids}). End them and try again.`,
  );
}

/** How often the kernel ended a process in there because the memory was used up. */
export function memoryKills(groups: readonly string[]): number {
  const texts = groups.flatMap((group) =>
    ["memory.events", "memory.oom_control"].map((name) => read(join(group, name))),
  );
  return Math.max(0, ...texts.map((text) => Number(/^oom_kill (\d+)$/m.exec(text)?.[1] ?? 0)));
}

export function freezerOf(groups: readonly string[]): string | undefined {
  return groups.map((group) => fileOf(group, "freezer")).find((path) => path !== undefined);
}

export function isFrozen(freezer: string): boolean {
  return ["1", "FROZEN", "FREEZING"].includes(read(freezer).trim());
}

/** Resolves when every process in there stands still, or may go on. */
export async function setFrozen(freezer: string, frozen: boolean): Promise<void> {
  const isFirstVersion = freezer.endsWith("freezer.state");
  const [yes, no] = isFirstVersion ? ["FROZEN", "THAWED"] : ["1", "0"];
  writeFileSync(freezer, frozen ? yes! : no!);
  const hasHappened = () =>
    isFirstVersion
      ? read(freezer).trim() === (frozen ? "FROZEN" : "THAWED")
      : read(join(freezer, "..", "cgroup.events")).includes(`frozen ${frozen ? 1 : 0}`);
  while (!hasHappened()) await sleep(2);
}

function tryWrite(path: string, text: string): void {
  try {
    if (existsSync(path)) writeFileSync(path, text);
  } catch {
    // Not to be had here.
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
