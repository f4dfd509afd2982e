import { realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { SandboxError } from "@sandbox-agent-ts/protocol";

/** The directory a session works in, free of symlinks: the one asked for, which must be there, or the daemon's own. */
export async function sessionDirectory(requested: string | null | undefined): Promise<string> {
  if (!requested) return realpath(process.cwd());
  const directory = resolve(requested);
  const found = requested.includes("\0") ? undefined : await stat(directory).catch(() => undefined);
  if (found?.isDirectory()) return realpath(directory);
  throw new SandboxError("invalid_request", `${directory} is not a directory. Create it first or name another.`, {
    details: { issues: [{ path: "directory", message: "must be an existing directory" }] },
  });
}
