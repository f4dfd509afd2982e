import type { FsStat } from "@sandbox-agent-ts/protocol";
import { describeEntry } from "./describe-entry.ts";
import type { FileAccess, FileTarget } from "./file-access.ts";
import { withEntry } from "./with-entry.ts";

/** What is at a path? */
export function statEntry(access: FileAccess, target: FileTarget): Promise<FsStat> {
  return withEntry(access, target, { symlink: "follow", parents: "expect" }, ({ directory, name, path, roots }) =>
    describeEntry(directory.at(name), path, roots),
  );
}
