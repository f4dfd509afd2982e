import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { TarEntry } from "@sandbox-agent-ts/server/tar";
import { type FileName, joined, partsOf } from "../workspace/file-name.ts";
import { shown } from "./fs-problem.ts";

const permissionBits = 0o777;

export interface ArchiveEntry {
  readonly kind: "file" | "directory" | "symlink";
  /** The names on its way from the directory the archive is unpacked into; none for that one itself. */
  readonly parts: readonly FileName[];
  readonly path: FileName;
  /** Absent where the archive names none; where it is to be exact, that is one. */
  readonly mode: number | undefined;
}

/** Checks an entry, and refuses all that cannot be below the target; symlinks where it is not to be exact. */
export function archiveEntry(entry: TarEntry, isExact: boolean): ArchiveEntry {
  const text = entry.name.toString("utf8");
  const parts = partsOf(entry.name);
  if (text.startsWith("/")) throw hostile(text, "has an absolute name");
  if (text.includes("\0")) throw hostile(text, "has a zero byte in its name");
  if (!parts) throw hostile(text, 'has ".." in its name');
  const { kind, kindText } = entry;
  if (kind === "other" || (kind === "symlink" && !isExact)) throw hostile(text, `is a ${kindText}`);
  const mode = entry.mode & permissionBits;
  return { kind, parts, path: parts.reduce(joined, ""), mode: mode === 0 && !isExact ? undefined : mode };
}

function hostile(name: string, why: string): SandboxError {
  const sentence = `The archive entry ${shown(name)} ${why}. Send only files and directories with relative names.`;
  return new SandboxError("permission_denied", sentence);
}
