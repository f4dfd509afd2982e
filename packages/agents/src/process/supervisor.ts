import { randomBytes } from "node:crypto";
import type { AgentLogger } from "../agent.ts";
import type { AgentProcess, SpawnOptions } from "./agent-process.ts";
import { endLeftovers, type ReapedProcess, reapOrphans } from "./orphans.ts";
import { type Cgroups, openCgroups } from "./process-cgroup.ts";
import { createProcessMarkers, nameRun, processMarkerVariable } from "./process-marker.ts";
import { noProcessRecords, openProcessRecords, type ProcessRecord } from "./process-records.ts";
import { openProcessTable } from "./process-table.ts";
import { createFailedProcess, spawnProcess } from "./spawn-process.ts";

export interface SupervisorOptions {
  /** Where running processes are noted for the next daemon; made when needed. `null`: nowhere. */
  readonly recordDir: string | null;
  /**
   * A random id of the data directory, the same in each life of its daemon and in no other. By it a new daemon knows the
   * processes of the one that was killed before it; those of other daemons are never touched.
   */
  readonly owner: string;
  readonly log: AgentLogger;
  readonly cgroups?: Cgroups;
}

/**
 * The only thing that starts agent programs, and what guarantees that none outlives its daemon: not when it closes, and
 * not, once its successor has called `reapOrphans`, when it is killed.
 */
export interface Supervisor {
  /** Never throws: a program that cannot be started is a process that exits with `spawnError`. */
  spawn(options: SpawnOptions): AgentProcess;
  /** For the environment of what is run without `spawn`, so that it is found and ended all the same. */
  readonly marking: Readonly<Record<string, string>>;
  /** End what an earlier daemon of this owner left running. Call once at start; processes of this one are left alone. */
  reapOrphans(): Promise<ReapedProcess[]>;
  /** Stop all processes at the same time. Idempotent; nothing can be spawned afterwards. */
  close(): Promise<void>;
}

export function createSupervisor({ recordDir, owner, log, cgroups = openCgroups() }: SupervisorOptions): Supervisor {
  const table = openProcessTable();
  const records = recordDir === null ? noProcessRecords : openProcessRecords(recordDir);
  const markers = createProcessMarkers(owner, nameRun(randomBytes(6).toString("hex")));
  const running = new Map<string, AgentProcess>();
  let closing: Promise<void> | undefined;

  function addRecord(record: ProcessRecord): void {
    try {
      records.add(record);
    } catch (err) {
      log.warn(
        { err, pid: record.pid },
        "a process could not be recorded; after a kill it is found by its marker only",
      );
    }
  }

  function forget(marker: string): void {
    running.delete(marker);
    try {
      records.remove(marker);
    } catch (err) {
      log.warn({ err, marker }, "the record of an ended process could not be removed");
    }
  }

  async function closeAll(): Promise<void> {
    const stops = await Promise.allSettled([...running.values()].map((process) => process.stop()));
    const failures = stops.flatMap((stop) => (stop.status === "rejected" ? [stop.reason] : []));
    for (const err of failures) log.error({ err }, "a process could not be ended");
    await endLeftovers(table, markers);
  }

  return {
    marking: { [processMarkerVariable]: markers.next() },
    spawn(options) {
      if (closing) {
        return createFailedProcess(options.label, Promise.resolve(new Error("The daemon is shutting down.")));
      }
      const marker = markers.next();
      const process = spawnProcess(options, {
        marker,
        table,
        cgroups,
        log,
        onStarted: (started) => addRecord({ ...started, bootId: table?.bootId ?? null, label: options.label, marker }),
        onGone: () => forget(marker),
      });
      if (process.pid > 0) running.set(marker, process);
      return process;
    },
    async reapOrphans() {
      const reaped = await reapOrphans(table, records, markers, cgroups);
      if (reaped.length > 0) log.info({ reaped }, "ended agent processes of an earlier daemon");
      return reaped;
    },
    close() {
      closing ??= closeAll();
      return closing;
    },
  };
}
