import { SandboxError } from "@sandbox-agent-ts/protocol";

const advice: Record<string, string> = {
  ENOSPC: "The disk is full: free some space and try again.",
  EDQUOT: "The disk quota is used up: free some space and try again.",
  EROFS: "The file system is read-only: choose another directory with --data-dir.",
  EACCES: "The daemon may not write there: change its permissions or choose another directory with --data-dir.",
  EPERM: "The daemon may not write there: change its permissions or choose another directory with --data-dir.",
  ENOTDIR: "A part of the path is a file: choose another directory with --data-dir.",
  EEXIST: "A file is in the place of a directory: move it away or choose another directory with --data-dir.",
  // What Node says as well when it cannot make a directory because the file system is read-only.
  ENOENT: "It is gone or cannot be made there: choose another directory with --data-dir.",
  EMFILE: "Too many files are open: raise the limit (ulimit -n).",
};

/** A failed write or read of the data directory, as an error that says what to do. */
export function storeFailure(path: string, cause: unknown): SandboxError {
  if (cause instanceof SandboxError) return cause;
  const code = (cause as NodeJS.ErrnoException).code ?? "unknown error";
  return new SandboxError("internal_error", `Cannot keep data in ${path} (${code}). ${advice[code] ?? ""}`.trim(), {
    details: { errno: code },
    cause,
  });
}

/** Whether the disk refused it, so that the same may succeed later. */
export function isDiskFailure(error: unknown): boolean {
  const details = error instanceof SandboxError ? (error.details as { errno?: unknown } | undefined) : undefined;
  return typeof details?.errno === "string" && /^E[A-Z0-9]+$/.test(details.errno);
}
