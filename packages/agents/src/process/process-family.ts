import { pidsOf } from "./process-cgroup.ts";
import type { ProcessGroup } from "./process-group.ts";
import type { ProcessInfo, ProcessTable } from "./process-table.ts";

/** Processes that have to go together: those a spawn brought into the world, or all that a dead daemon left behind. */
export interface ProcessFamily {
  /** Zombies are not alive: where nobody reaps them, as in many containers, they stay for ever. */
  isAlive(): Promise<boolean>;
  signal(signal: NodeJS.Signals): Promise<void>;
  /** The members of this moment. Who was found once is a member for good, whatever it does to be forgotten. */
  look(): Promise<readonly ProcessInfo[]>;
}

export interface FamilyOptions {
  /** Without it the group is all that is known. */
  readonly table: ProcessTable | null;
  readonly isMember: (process: ProcessInfo) => boolean;
  readonly group?: ProcessGroup;
  /** All that is in this control group is a member. */
  readonly cgroup?: string | null;
}

export function createProcessFamily({ table, isMember, group, cgroup }: FamilyOptions): ProcessFamily {
  const known = new Set<string>();
  const foreign = new Set<string>();

  /** Who was once a member stays one, also when the parent by which it was found is gone. */
  async function findMembers(): Promise<ProcessInfo[]> {
    if (!table) return [];
    const processes = await table.scan();
    const grouped = cgroup ? pidsOf(cgroup) : new Set<number>();
    const isSeed = (process: ProcessInfo) =>
      known.has(nameOf(process)) || grouped.has(process.pid) || isMember(process);
    const members = findRelatives(processes, isSeed).filter((process) => !foreign.has(nameOf(process)));
    for (const process of members) known.add(nameOf(process));
    return members;
  }

  function signalProcess(member: ProcessInfo, signal: NodeJS.Signals): void {
    if (table?.startTime(member.pid) !== member.startTime) return;
    try {
      process.kill(member.pid, signal);
    } catch (error) {
      const runsAsAnotherUser = (error as NodeJS.ErrnoException).code === "EPERM";
      if (runsAsAnotherUser) foreign.add(nameOf(member));
    }
  }

  return {
    look: findMembers,
    async isAlive() {
      if (!table) return group?.isHeld() ?? false;
      return (await findMembers()).length > 0;
    },
    async signal(signal) {
      const members = await findMembers();
      group?.signal(signal);
      for (const member of members) {
        const hadItWithTheGroup = member.groupId === group?.id && signal !== "SIGKILL";
        if (!hadItWithTheGroup) signalProcess(member, signal);
      }
    },
  };
}

/** The seeds and all their descendants. A parent that is younger than its child has only inherited the pid. */
export function findRelatives(
  processes: readonly ProcessInfo[],
  isSeed: (process: ProcessInfo) => boolean,
): ProcessInfo[] {
  const childrenOf = groupByParent(processes);
  const relatives = new Set(processes.filter(isSeed));
  for (const parent of relatives) {
    for (const child of childrenOf.get(parent.pid) ?? []) {
      if (child.startTime >= parent.startTime) relatives.add(child);
    }
  }
  return [...relatives];
}

function groupByParent(processes: readonly ProcessInfo[]): Map<number, ProcessInfo[]> {
  const children = new Map<number, ProcessInfo[]>();
  for (const process of processes) {
    const siblings = children.get(process.parentPid);
    if (siblings) siblings.push(process);
    else children.set(process.parentPid, [process]);
  }
  return children;
}

function nameOf(process: ProcessInfo): string {
  return `${process.pid}@${process.startTime}`;
}
