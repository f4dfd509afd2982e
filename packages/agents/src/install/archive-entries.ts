import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract } from "tar-stream";

/** A thing in an archive, as the archive tells it: nothing is checked yet. */
export interface ArchiveEntry {
  readonly name: string;
  /** `file`, `directory`, or whatever else is in there. */
  readonly type: string;
  readonly mode: number;
  readonly size: number;
  /** To be read, or skipped by asking for the next entry. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** What the bytes of an archive tell of how far it is read. */
export type OnArchiveBytes = (bytesRead: number) => void;

/** The entries of a tar that is compressed with gzip. */
export async function* tarEntries(archive: string, onBytes: OnArchiveBytes): AsyncGenerator<ArchiveEntry> {
  const entries = extract();
  const compressed = createReadStream(archive);
  compressed.on("data", () => onBytes(compressed.bytesRead));
  const feeding = pipeline(compressed, createGunzip(), entries);
  // The loop below meets the same error; without this the process would call it unhandled.
  feeding.catch(() => undefined);
  try {
    for await (const entry of entries) {
      const { name, type, mode = 0, size = 0 } = entry.header;
      yield { name, type: type ?? "thing of unknown kind", mode, size, content: entry as AsyncIterable<Uint8Array> };
      entry.resume();
    }
    await feeding;
  } finally {
    entries.destroy();
  }
}
