import { statSync } from "node:fs";
import { DEFAULT_GRACE_MS, endFamily } from "./end-family.ts";
import { type Cgroups, pidsOf, removeCgroup } from "./process-cgroup.ts";
import { createProcessFamily, findRelatives } from "./process-family.ts";
import { isAbandoned, type ProcessMarkers } from "./process-marker.ts";
import type { ProcessRecord, ProcessRecords } from "./process-records.ts";
import type { ProcessInfo, ProcessTable } from "./process-table.ts";

export interface ReapedProcess {
  readonly pid: number;
  /** What it was started as, where it is on record. */
  readonly label: string | null;
}

/**
 * End what earlier lives of the daemon left running: processes on record, if pid and start time still name the same
 * process, what is in their groups, sessions and control groups, and all that carry a marker of this owner, or of any other
 * daemon of this user that is dead (an ephemeral one has no successor). Where there is no process table nothing can be verified, so
 * nothing is touched.
 */
export async function reapOrphans(
  table: ProcessTable | null,
  records: ProcessRecords,
  markers: ProcessMarkers,
  cgroups: Cgroups,
): Promise<ReapedProcess[]> {
  const earlier = records.list().filter((record) => !markers.isCurrent(record.marker));
  const reaped = table ? await endOrphans(table, earlier, markers, cgroups) : [];
  for (const record of earlier) records.remove(record.marker);
  return reaped;
}

async function endOrphans(
  table: ProcessTable,
  records: readonly ProcessRecord[],
  markers: ProcessMarkers,
  cgroups: Cgroups,
): Promise<ReapedProcess[]> {
  const ofThisBoot = records.filter((record) => record.bootId === table.bootId);
  const startTimes = new Map(
    ofThisBoot.flatMap(({ pid, startTime, strays = [] }) => [
      [pid, startTime] as const,
      ...strays.map((stray) => [stray.pid, stray.startTime] as const),
    ]),
  );
  const isRecorded = (process: ProcessInfo) => startTimes.get(process.pid) === process.startTime;
  /** In the group or session of one on record. Its number is not given to another process while anybody is in it. */
  const followsRecorded = ({ groupId, sessionId, startTime }: ProcessInfo) =>
    [groupId, sessionId].some((leader) => {
      const leaderStart = startTimes.get(leader) ?? null;
      const now = table.startTime(leader);
      return leaderStart !== null && startTime >= leaderStart && (now === null || now === leaderStart);
    });
  const isOurs = (marker: string | null) => markers.isEarlier(marker) || isAbandoned(marker);
  const groups = [
    ...cgroups.list().flatMap(({ path, marker }) => (isOurs(marker) ? path : [])),
    ...ofThisBoot.flatMap(({ cgroup }) => cgroup ?? []),
  ];
  const inGroup = new Set(groups.flatMap((group) => [...pidsOf(group)]));
  const isMember = (process: ProcessInfo) =>
    isRecorded(process) ||
    followsRecorded(process) ||
    ((isOurs(process.marker) || inGroup.has(process.pid)) && isOfThisUser(process.pid));
  const labelByMarker = new Map(records.map((record) => [record.marker, record.label]));

  const found = findRelatives(await table.scan(), isMember);
  if (found.length > 0) await endFamily(createProcessFamily({ table, isMember }), DEFAULT_GRACE_MS);
  for (const group of groups) removeCgroup(group);
  return found.map((process) => ({ pid: process.pid, label: labelByMarker.get(process.marker ?? "") ?? null }));
}

/** Root sees everybody's processes; those of others are theirs to end. */
function isOfThisUser(pid: number): boolean {
  return statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid === process.getuid?.();
}

/** End what processes of this life of the daemon left behind outside their groups. */
export async function endLeftovers(table: ProcessTable | null, markers: ProcessMarkers): Promise<void> {
  const isMember = (process: ProcessInfo) => markers.isCurrent(process.marker);
  const family = createProcessFamily({ table, isMember });
  if (await family.isAlive()) await endFamily(family, DEFAULT_GRACE_MS);
}
