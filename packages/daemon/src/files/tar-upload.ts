import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type FsUploadBatchResponse, SandboxError } from "@sandbox-agent-ts/protocol";
import { type ExtractEvents, extract } from "tar-stream";
import { archiveEntry } from "./archive-entry.ts";
import { checkedArchive } from "./checked-archive.ts";
import type { FileAccess, FileTarget } from "./file-access.ts";
import { makeDirectory } from "./make-directory.ts";
import { writeFile } from "./write-file.ts";

const maxListedPaths = 1024;

type TarEntry = ExtractEvents["entry"][1];

/**
 * Unpacks a tar archive into a directory, which is made when it is missing, entry by entry as the bytes arrive.
 *
 * The target is the jail: neither a name in the archive nor a symlink that is already there leads out of it, not even
 * into another root. At the first entry that tries, or when the archive breaks off, the upload is refused; files unpacked
 * until then are whole and stay. Directories get default permissions, files those of the archive (0o777 of them).
 */
export async function uploadTar(
  access: FileAccess,
  target: FileTarget,
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<FsUploadBatchResponse> {
  const { path: root } = await makeDirectory(access, target);
  const jail: FileAccess = { ...access, roots: () => [root], base: () => root };
  const archive = extract();
  const feeding = pipeline(Readable.from(checkedArchive(body), { highWaterMark: 1 }), archive);
  // The loop below meets the same error; without this the process would call it unhandled.
  feeding.catch(() => undefined);
  const paths: string[] = [];
  let count = 0;
  try {
    for await (const entry of archive) {
      const path = await unpack(jail, entry);
      if (path !== undefined && ++count <= maxListedPaths) paths.push(path);
    }
    await feeding;
  } catch (error) {
    throw unreadable(error);
  }
  return { paths, truncated: count > maxListedPaths };
}

/** Answers the path of the file written. */
async function unpack(jail: FileAccess, entry: TarEntry): Promise<string | undefined> {
  const { kind, path, mode } = archiveEntry(entry.header);
  if (kind === "file" && path !== "")
    return (await writeFile(jail, { path }, entry as AsyncIterable<Uint8Array>, mode)).path;
  entry.resume();
  if (path !== "") await makeDirectory(jail, { path });
  return undefined;
}

function unreadable(error: unknown): SandboxError {
  if (error instanceof SandboxError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const sentence = `The archive cannot be read to its end (${reason}). Send a whole, uncompressed tar.`;
  return new SandboxError("invalid_request", sentence, { cause: error });
}
