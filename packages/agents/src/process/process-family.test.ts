import { expect, test } from "vitest";
import { createProcessFamily, findRelatives } from "./process-family.ts";
import type { ProcessInfo, ProcessTable } from "./process-table.ts";

function info(pid: number, parentPid: number, startTime: number, marker: string | null = null): ProcessInfo {
  return { pid, parentPid, groupId: pid, sessionId: pid, startTime, marker };
}

test("relatives are the seeds and their descendants, at any depth and in any order of the table", () => {
  const processes = [info(14, 13, 30), info(13, 12, 20), info(12, 1, 10, "a:1.1"), info(20, 1, 10), info(21, 20, 11)];
  const pids = findRelatives(processes, (process) => process.marker === "a:1.1").map((process) => process.pid);
  expect(pids.sort()).toEqual([12, 13, 14]);
});

test("a process older than its parent is not its child: the pid was used again", () => {
  const processes = [info(12, 1, 50, "a:1.1"), info(13, 12, 20)];
  expect(findRelatives(processes, (process) => process.marker !== null)).toEqual([processes[0]]);
});

test("a descendant stays a member after the parent by which it was found is gone", async () => {
  const parent = info(2_000_000_001, 1, 10, "a:1.1");
  const child = info(2_000_000_002, 2_000_000_001, 20);
  let processes = [parent, child];
  const table: ProcessTable = { bootId: "boot", scan: async () => processes, startTime: () => null };
  const family = createProcessFamily({ table, isMember: (process) => process.marker === "a:1.1" });
  expect(await family.isAlive()).toBe(true);
  processes = [{ ...child, parentPid: 1 }];
  expect(await family.isAlive()).toBe(true);
  processes = [{ ...child, parentPid: 1, startTime: 21 }];
  expect(await family.isAlive()).toBe(false);
});
