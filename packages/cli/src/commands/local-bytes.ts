import { createWriteStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Output } from "../output/output.ts";
import { UsageError } from "../usage-error.ts";

/** A local file, or stdin, read only as fast as it is sent. */
export async function readLocal(file: string | undefined): Promise<ReadableStream<Uint8Array>> {
  const stream = file === undefined ? process.stdin : (await openFile(file)).createReadStream();
  // Unless told to count bytes it counts chunks, up to as many as it may hold bytes: it would hold any file whole.
  const strategy = new ByteLengthQueuingStrategy({ highWaterMark: stream.readableHighWaterMark });
  return Readable.toWeb(stream, { strategy }) as ReadableStream<Uint8Array>;
}

/** Into a local file, or stdout, received only as fast as it is taken. */
export async function writeLocal(file: string | undefined, bytes: ReadableStream<Uint8Array>, out: Output) {
  if (file !== undefined) return pipeline(bytes, createWriteStream(file));
  for await (const chunk of bytes) await out.write(chunk);
}

/** Opened before anything is sent, so that a wrong name is not taken for a lost connection. */
async function openFile(file: string): Promise<FileHandle> {
  const handle = await open(file).catch((error: Error) => {
    throw new UsageError(`Cannot read ${file}: ${error.message}`);
  });
  if (!(await handle.stat()).isDirectory()) return handle;
  await handle.close();
  throw new UsageError(
    `${file} is a directory. For all that is in it: tar c -C ${file} . | sandbox-agent fs upload-batch`,
  );
}
