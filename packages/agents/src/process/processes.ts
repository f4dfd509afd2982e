/** Finding, ending and grouping processes that somebody else started and left running. */
export { endFamily } from "./end-family.ts";
export { ownNode } from "./own-node.ts";
export { readProcStat } from "./proc-stat.ts";
export { type CgroupDirectory, cgroupDirectories, pidsOf, removeCgroup } from "./process-cgroup.ts";
export { createProcessFamily, type ProcessFamily } from "./process-family.ts";
export { createProcessGroup } from "./process-group.ts";
export { openProcessTable, type ProcessInfo } from "./process-table.ts";
