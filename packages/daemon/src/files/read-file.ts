import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { FileAccess, FileTarget } from "./file-access.ts";
import { shown } from "./fs-problem.ts";
import { withEntry } from "./with-entry.ts";

const chunkBytes = 128 * 1024;
// Without O_NONBLOCK opening a named pipe would wait for its writer.
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** An open file: exactly `size` bytes come out of `stream`, which closes the file at its end, on `cancel` and on abort. */
export interface OpenFile {
  readonly size: number;
  stream(signal: AbortSignal): ReadableStream<Uint8Array>;
  close(): Promise<void>;
}

/** Opens a regular file for reading. The caller uses up `stream` or calls `close`. */
export function readFile(access: FileAccess, target: FileTarget): Promise<OpenFile> {
  return withEntry(access, target, { symlink: "follow", parents: "expect" }, async ({ directory, name }) => {
    const handle = await open(directory.at(name), flags);
    try {
      const size = await sizeOfFile(handle, target.path);
      return { size, stream: (signal) => streamOf(handle, size, signal), close: () => handle.close() };
    } catch (error) {
      await handle.close();
      throw error;
    }
  });
}

async function sizeOfFile(handle: FileHandle, path: string): Promise<number> {
  const stats = await handle.stat();
  if (stats.isFile()) return stats.size;
  const kind = stats.isDirectory() ? "a directory: list its entries instead" : "not a regular file: it cannot be read";
  throw new SandboxError("invalid_request", `${shown(path)} is ${kind}.`);
}

/** Reads on demand and never past `size`, so that a growing file keeps to its content-length and a shrinking one fails. */
function streamOf(handle: FileHandle, size: number, signal: AbortSignal): ReadableStream<Uint8Array> {
  let position = 0;
  const close = () => {
    signal.removeEventListener("abort", abandon);
    return handle.close();
  };
  const abandon = () => void close();
  const read = async () => {
    const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, size - position));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, position);
    if (bytesRead === 0 && position < size)
      throw new SandboxError("stream_error", "The file shrank while it was read.");
    position += bytesRead;
    return chunk.subarray(0, bytesRead);
  };
  signal.addEventListener("abort", abandon);
  if (signal.aborted) abandon();
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          if (position < size) controller.enqueue(await read());
          if (position < size) return;
          await close();
          controller.close();
        } catch (error) {
          await close();
          throw error;
        }
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  );
}
