import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { BoxProcessInfo } from "./box.ts";

/** The processes of a jail, known by their namespace. */
export class JailProcesses {
  readonly #first: number;
  readonly #namespace: string | undefined;
  /** Those that stand still because of us. */
  readonly #stopped = new Set<number>();

  /** Its process 1, as this machine numbers it. */
  constructor(first: number) {
    this.#first = first;
    this.#namespace = namespaceOf(first);
  }

  get all(): readonly BoxProcessInfo[] {
    return this.#pids().map((pid) => ({ pid, command: commandOf(pid) }));
  }

  /** Until two looks in a row find the same ones, all standing: one that was started in between is found at the next. */
  async freeze(): Promise<void> {
    for (let before = ""; ; ) {
      const pids = this.#pids().filter((pid) => pid !== this.#first);
      const moving = pids.filter((pid) => !isStopped(pid));
      if (moving.length === 0 && before === pids.join()) return;
      before = pids.join();
      for (const pid of moving) {
        if (signal(pid, "SIGSTOP")) this.#stopped.add(pid);
      }
      if (moving.length > 0) await sleep(1);
    }
  }

  thaw(): void {
    for (const pid of this.#pids()) if (this.#stopped.has(pid)) signal(pid, "SIGCONT");
    this.#stopped.clear();
  }

  #pids(): number[] {
    if (this.#namespace === undefined) return [];
    const pids = readdirSync("/proc").map(Number).filter(Number.isInteger);
    return pids.filter((pid) => namespaceOf(pid) === this.#namespace);
  }
}

/** Undefined for one that is over, also where nobody has taken note of its end. */
function namespaceOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return undefined;
  }
}

function isStopped(pid: number): boolean {
  const stat = read(pid, "stat");
  return stat === undefined || /^[TtZX]$/.test(stat.slice(stat.lastIndexOf(")") + 2, stat.lastIndexOf(")") + 3));
}

function commandOf(pid: number): string {
  const words = (read(pid, "cmdline") ?? "").split("\0").filter((word) => word !== "");
  return words.join(" ");
}

function read(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return undefined;
  }
}

function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
