import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { Header } from "tar-stream";
import { shown } from "./fs-problem.ts";

const permissionBits = 0o777;

export interface ArchiveEntry {
  readonly kind: "file" | "directory";
  /** Relative to the directory the archive is unpacked into, without `.` and empty parts; empty for that one itself. */
  readonly path: string;
  /** Absent where the archive names none. */
  readonly mode: number | undefined;
}

/** Reads a tar header, and refuses all that a file or directory below the target cannot be. */
export function archiveEntry(header: Header): ArchiveEntry {
  const parts = header.name.split("/");
  if (header.name.startsWith("/")) throw hostile(header.name, "has an absolute name");
  if (header.name.includes("\0")) throw hostile(header.name, "has a zero byte in its name");
  if (parts.includes("..")) throw hostile(header.name, 'has ".." in its name');
  return {
    kind: kindOf(header),
    path: parts.filter((part) => part !== "" && part !== ".").join("/"),
    mode: header.mode & permissionBits || undefined,
  };
}

/** Archives from before ustar mark a directory by nothing but the slash at the end of its name. */
function kindOf({ name, type }: Header): ArchiveEntry["kind"] {
  if (type === "directory") return "directory";
  if (type === "file" || type === "contiguous-file") return name.endsWith("/") ? "directory" : "file";
  throw hostile(name, `is a ${type ?? "thing of unknown kind"}`);
}

function hostile(name: string, why: string): SandboxError {
  const sentence = `The archive entry ${shown(name)} ${why}. Send only files and directories with relative names.`;
  return new SandboxError("permission_denied", sentence);
}
