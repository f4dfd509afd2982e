import { setTimeout as sleep } from "node:timers/promises";
import { processStartTime } from "@sandbox-agent-ts/agents/process-identity";
import {
  createProcessFamily,
  createProcessGroup,
  endFamily,
  openProcessTable,
  type ProcessFamily,
  readProcStat,
} from "@sandbox-agent-ts/agents/processes";
import { freezerOf, isFrozen, setFrozen } from "./control-groups.ts";
import type { DaemonRecord, SandboxRecord } from "./sandbox-record.ts";

/** Carried by everything that is started in a sandbox; its value is the sandbox's id. */
export const sandboxVariable = "SANDBOX_AGENT_SANDBOX";

const table = openProcessTable(sandboxVariable);
/** A daemon that cannot be found again by its processes has to end its agents itself. */
const graceMs = table === null ? 5_000 : 0;

export const canSuspend = table !== null;

export function isSupervised(daemon: DaemonRecord): boolean {
  return processStartTime(daemon.pid) === daemon.startTime;
}

export function isSuspended({ groups, daemon }: SandboxRecord): boolean {
  const freezer = freezerOf(groups);
  if (freezer !== undefined) return isFrozen(freezer);
  return daemon !== undefined && readProcStat(daemon.pid)?.isStopped === true;
}

/** End everything that runs in the sandbox, also what is suspended or got away from its daemon. */
export async function endProcesses(record: SandboxRecord): Promise<void> {
  if (record.daemon === undefined) return;
  const family = familyOf(record);
  if (graceMs === 0) await family.signal("SIGKILL");
  const freezer = freezerOf(record.groups);
  if (freezer !== undefined && isFrozen(freezer)) await setFrozen(freezer, false);
  if (await family.isAlive()) await endFamily(family, graceMs);
}

export async function suspendProcesses(record: SandboxRecord): Promise<void> {
  const freezer = freezerOf(record.groups);
  if (freezer !== undefined) return setFrozen(freezer, true);
  const family = familyOf(record);
  while (!(await allStopped(family))) {
    await family.signal("SIGSTOP");
    await sleep(1);
  }
}

export async function resumeProcesses(record: SandboxRecord): Promise<void> {
  const freezer = freezerOf(record.groups);
  if (freezer !== undefined) return setFrozen(freezer, false);
  await familyOf(record).signal("SIGCONT");
}

/** One that was started between two looks is stopped at the next one. */
async function allStopped(family: ProcessFamily): Promise<boolean> {
  return (await family.look()).every(({ pid }) => readProcStat(pid)?.isStopped ?? true);
}

function familyOf({ id, daemon, groups }: SandboxRecord): ProcessFamily {
  const leader = daemon !== undefined && isSupervised(daemon) ? daemon.pid : undefined;
  const isMember = (process: { pid: number; marker: string | null }) => process.marker === id || process.pid === leader;
  if (table !== null || leader === undefined)
    return createProcessFamily({ table, isMember, cgroup: groups[0] ?? null });
  const group = createProcessGroup(leader);
  group.leaderExited();
  return createProcessFamily({ table, isMember, group });
}
