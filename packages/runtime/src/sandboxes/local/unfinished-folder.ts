import { createHash, randomBytes } from "node:crypto";
import { processStartTime } from "@sandbox-agent-ts/agents/process-identity";

const pattern = /^unfinished-(\d+)-([0-9a-f]{16})-[0-9a-f]+$/;

/** A name for a folder while it is being made or removed: it says who is at it, so that others know whether anybody still is. */
export function unfinishedName(): string {
  return `unfinished-${process.pid}-${startOf(process.pid)}-${randomBytes(8).toString("hex")}`;
}

/** Whether it is the name of a folder whose maker or remover was killed on the way. */
export function isForsaken(name: string): boolean {
  const [, pid, start] = pattern.exec(name) ?? [];
  return pid !== undefined && startOf(Number(pid)) !== start;
}

function startOf(pid: number): string {
  const start = processStartTime(pid) ?? "";
  return createHash("sha256").update(start).digest("hex").slice(0, 16);
}
