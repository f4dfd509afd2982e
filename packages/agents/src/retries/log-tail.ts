import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { createLineSplitter, type LineSplitter } from "../process/line-splitter.ts";

/** What was written before a file is first looked at is of interest only if it is fresh. */
const FIRST_BYTES = 64 * 1024;
const MAX_READ_BYTES = 1024 * 1024;
const MAX_LINE_BYTES = 64 * 1024;

interface Reader {
  at: number;
  readonly splitter: LineSplitter;
}

/** Follows files that other programs write to. The first line of all may lack its beginning. */
export class LogTail {
  readonly #readers = new Map<string, Reader>();
  #lines: string[] = [];

  /** The lines that were completed since the last time; none of a file that cannot be read. */
  async read(files: readonly string[]): Promise<string[]> {
    for (const file of files) await this.#readFile(file).catch(() => {});
    const lines = this.#lines;
    this.#lines = [];
    return lines;
  }

  async #readFile(file: string): Promise<void> {
    const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      await this.#readOn(file, handle);
    } finally {
      await handle.close();
    }
  }

  async #readOn(file: string, handle: FileHandle): Promise<void> {
    const stats = await handle.stat();
    if (!stats.isFile()) return;
    const { size } = stats;
    const reader = this.#readers.get(file) ?? this.#begin(file, size);
    if (size < reader.at) reader.at = 0;
    const length = Math.min(size - reader.at, MAX_READ_BYTES);
    if (length === 0) return;
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, reader.at);
    reader.at += bytesRead;
    reader.splitter.push(buffer.subarray(0, bytesRead));
  }

  #begin(file: string, size: number): Reader {
    const splitter = createLineSplitter(MAX_LINE_BYTES, {
      onLines: (lines) => void this.#lines.push(...lines),
      onOversizedLine: () => {},
    });
    const reader = { at: Math.max(0, size - FIRST_BYTES), splitter };
    this.#readers.set(file, reader);
    return reader;
  }
}
