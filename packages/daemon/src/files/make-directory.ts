import type { FsActionResponse } from "@sandbox-agent-ts/protocol";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { FileAccess, FileTarget } from "./file-access.ts";
import { errnoOf, shown } from "./fs-problem.ts";
import { withEntry } from "./with-entry.ts";

/** Makes a directory and its parents; one that exists is fine. */
export function makeDirectory(access: FileAccess, target: FileTarget): Promise<FsActionResponse> {
  return withEntry(access, target, { symlink: "follow", parents: "make" }, async ({ directory, name, path }) => {
    const made = await directory.makeChild(name).catch((error: unknown) => {
      if (errnoOf(error) !== "ENOTDIR") throw error;
      throw new SandboxError("invalid_request", `${shown(target.path)} is a file. Delete it, or choose another name.`);
    });
    await made.close();
    return { path };
  });
}
