import { join } from "node:path";
import type { FsEntry } from "@sandbox-agent-ts/protocol";
import { describeEntry } from "./describe-entry.ts";
import type { FileAccess, FileTarget } from "./file-access.ts";
import { errnoOf } from "./fs-problem.ts";
import { type Entry, withEntry } from "./with-entry.ts";

/** How many entries are looked at side by side. */
const batchSize = 64;

/** What a directory holds, sorted by name. */
export function listEntries(access: FileAccess, target: FileTarget): Promise<FsEntry[]> {
  return withEntry(access, target, { symlink: "follow", parents: "expect" }, list);
}

async function list({ directory: parent, name: own, path, roots }: Entry): Promise<FsEntry[]> {
  const directory = await parent.child(own);
  try {
    const names = (await directory.names()).sort(Buffer.compare);
    const entries: FsEntry[] = [];
    for (let start = 0; start < names.length; start += batchSize) {
      const batch = names.slice(start, start + batchSize).map(async (bytes) => {
        const name = bytes.toString();
        const stat = await describeEntry(directory.at(bytes), join(path, name), roots).catch(goneMeanwhile);
        return stat && { name, ...stat };
      });
      entries.push(...(await Promise.all(batch)).filter((entry) => entry !== undefined));
    }
    return entries;
  } finally {
    await directory.close();
  }
}

function goneMeanwhile(error: unknown): undefined {
  if (errnoOf(error) !== "ENOENT") throw error;
}
