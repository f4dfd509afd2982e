import { DEFAULT_GRACE_MS, endFamily } from "./end-family.ts";
import { createProcessFamily, findRelatives } from "./process-family.ts";
import type { ProcessMarkers } from "./process-marker.ts";
import type { ProcessRecord, ProcessRecords } from "./process-records.ts";
import type { ProcessInfo, ProcessTable } from "./process-table.ts";

export interface ReapedProcess {
  readonly pid: number;
  /** What it was started as, where it is on record. */
  readonly label: string | null;
}

/**
 * End what earlier lives of the daemon left running: processes on record, if pid and start time still name the same
 * process, and all that carry a marker of this owner. Where there is no process table nothing can be verified, so
 * nothing is touched.
 */
export async function reapOrphans(
  table: ProcessTable | null,
  records: ProcessRecords,
  markers: ProcessMarkers,
): Promise<ReapedProcess[]> {
  const earlier = records.list().filter((record) => !markers.isCurrent(record.marker));
  const reaped = table ? await endOrphans(table, earlier, markers) : [];
  for (const record of earlier) records.remove(record.marker);
  return reaped;
}

async function endOrphans(
  table: ProcessTable,
  records: readonly ProcessRecord[],
  markers: ProcessMarkers,
): Promise<ReapedProcess[]> {
  const recordByPid = new Map(records.filter((r) => r.bootId === table.bootId).map((r) => [r.pid, r]));
  const isRecorded = (process: ProcessInfo) => recordByPid.get(process.pid)?.startTime === process.startTime;
  const isMember = (process: ProcessInfo) => isRecorded(process) || markers.isEarlier(process.marker);
  const labelByMarker = new Map(records.map((record) => [record.marker, record.label]));

  const found = findRelatives(await table.scan(), isMember);
  if (found.length === 0) return [];
  await endFamily(createProcessFamily({ table, isMember }), DEFAULT_GRACE_MS);
  return found.map((process) => ({ pid: process.pid, label: labelByMarker.get(process.marker ?? "") ?? null }));
}

/** End what processes of this life of the daemon left behind outside their groups. */
export async function endLeftovers(table: ProcessTable | null, markers: ProcessMarkers): Promise<void> {
  const isMember = (process: ProcessInfo) => markers.isCurrent(process.marker);
  const family = createProcessFamily({ table, isMember });
  if (await family.isAlive()) await endFamily(family, DEFAULT_GRACE_MS);
}
