import { type ErrorCode, SandboxError } from "@sandbox-agent-ts/protocol";

const maxShownLength = 200;

/** A client's path, safe to print in a sentence. */
export function shown(path: string): string {
  return JSON.stringify(path.length > maxShownLength ? `${path.slice(0, maxShownLength)}…` : path);
}

type Problem = readonly [code: ErrorCode, sentence: (path: string) => string];

const full: Problem = [
  "internal_error",
  (path) => `The disk is full: ${path} was not written. Free some space and retry.`,
];
const changed: Problem = ["invalid_request", (path) => `${path} changed or is in use right now. Try again.`];
const exhausted: Problem = ["internal_error", (path) => `Too many files are open to reach ${path}. Try again later.`];
const special: Problem = ["invalid_request", (path) => `${path} is neither a regular file nor a directory.`];

const problems: Readonly<Record<string, Problem>> = {
  ENOENT: ["not_found", (path) => `There is nothing at ${path}. Check the path, or list its directory.`],
  EACCES: ["permission_denied", (path) => `The daemon's user has no permission for ${path}.`],
  EPERM: ["permission_denied", (path) => `The operating system does not permit this for ${path}.`],
  EROFS: ["permission_denied", (path) => `${path} is on a read-only filesystem.`],
  ENAMETOOLONG: ["invalid_request", (path) => `The path ${path} is too long. Use a shorter one.`],
  EILSEQ: ["invalid_request", (path) => `The filesystem does not accept the name ${path}. Use another one.`],
  ELOOP: ["invalid_request", (path) => `${path} runs in a circle of symlinks, or was replaced by one just now.`],
  ENOTDIR: ["invalid_request", (path) => `${path}, or a part of it, is not a directory.`],
  EISDIR: ["invalid_request", (path) => `${path} is a directory. Name a file.`],
  EEXIST: ["invalid_request", (path) => `Something else is already at ${path}.`],
  EINVAL: ["invalid_request", (path) => `The filesystem does not accept this for ${path}.`],
  ENXIO: special,
  EOPNOTSUPP: special,
  ENOTEMPTY: changed,
  EBUSY: changed,
  ETXTBSY: changed,
  ENOSPC: full,
  EDQUOT: full,
  EMFILE: exhausted,
  ENFILE: exhausted,
};

/** Turns whatever a filesystem call threw into the error a client gets; the only place that knows errnos. */
export function fsProblem(error: unknown, path: string): SandboxError {
  if (error instanceof SandboxError) return error;
  const problem = problems[errnoOf(error) ?? ""];
  if (problem) return new SandboxError(problem[0], problem[1](shown(path)), { cause: error });
  return new SandboxError("internal_error", `Reaching ${shown(path)} failed: ${String(error)}.`, { cause: error });
}

/** `ENOENT` and its like, when the error came from the operating system. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
