import { constants, fdatasync, ftruncateSync, openSync, read, writeSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { OpenFiles, Reopenable } from "./open-files.ts";
import { storeFailure } from "./store-failure.ts";
import { syncPath } from "./sync-path.ts";

const fdatasyncAsync = promisify(fdatasync);
const readAsync = promisify(read);

/** Bytes on their way to a file, one append after the other; a buffer for each would be most of the garbage of a flood. */
const outgoing = Buffer.allocUnsafeSlow(1024 * 1024);
const maxBytesPerUnit = 3;

function encode(text: string): Buffer {
  if (text.length * maxBytesPerUnit > outgoing.length) return Buffer.from(text, "utf8");
  return outgoing.subarray(0, outgoing.write(text, "utf8"));
}

/**
 * An append-only file of lines, made with its first line. A write that fails halfway is taken back, so the file always
 * ends with a whole line.
 */
export class Journal implements Reopenable {
  readonly path: string;
  readonly #files: OpenFiles;
  #descriptor: number | undefined;
  #size: number;
  #operations = 0;
  #closed = false;
  #torn = false;
  #unsynced = false;
  /** A new file's name becomes durable with its directory, not with the file. */
  #isNew: boolean;
  #sync: Promise<void> | undefined;
  #nextSync: Promise<void> | undefined;

  constructor(path: string, size: number, files: OpenFiles) {
    this.path = path;
    this.#size = size;
    this.#isNew = size === 0;
    this.#files = files;
  }

  get size(): number {
    return this.#size;
  }

  get busy(): boolean {
    return this.#operations > 0;
  }

  takeDescriptor(): number | undefined {
    const descriptor = this.#descriptor;
    this.#descriptor = undefined;
    return descriptor;
  }

  append(text: string): void {
    const bytes = encode(text);
    try {
      const descriptor = this.#open();
      if (this.#torn) this.#mend(descriptor);
      this.#torn = true;
      let written = 0;
      while (written < bytes.length) {
        written += writeSync(descriptor, bytes, written, bytes.length - written, this.#size + written);
      }
      this.#torn = false;
    } catch (cause) {
      this.#tryToMend();
      throw storeFailure(this.path, cause);
    }
    this.#size += bytes.length;
    this.#unsynced = true;
  }

  /** Take back what was appended last, down to a size it had before. */
  rewind(size: number): void {
    this.#size = size;
    this.#torn = true;
    this.#tryToMend();
  }

  async read(position: number, length: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(length, this.#size - position)));
    if (bytes.length === 0) return bytes;
    const { bytesRead } = await this.#use((descriptor) => readAsync(descriptor, bytes, 0, bytes.length, position));
    return bytes.subarray(0, bytesRead);
  }

  /** Everything appended before the call becomes durable. Calls that come while the disk is busy share the next round. */
  sync(): Promise<void> {
    if (!this.#sync) {
      this.#sync = this.#flush().finally(() => {
        this.#sync = undefined;
      });
      return this.#sync;
    }
    this.#nextSync ??= this.#sync
      .catch(() => {})
      .then(() => {
        this.#nextSync = undefined;
        return this.sync();
      });
    return this.#nextSync;
  }

  /** Let go of the file for good, as soon as nobody reads or syncs it any more. */
  close(): void {
    this.#closed = true;
    if (!this.busy) this.#files.close(this);
  }

  async #flush(): Promise<void> {
    if (!this.#unsynced) return;
    this.#unsynced = false;
    try {
      await this.#use((descriptor) => fdatasyncAsync(descriptor));
      if (this.#isNew) await syncPath(dirname(this.path));
      this.#isNew = false;
    } catch (cause) {
      this.#unsynced = true;
      throw cause;
    }
  }

  /** Meanwhile the descriptor stays open: closed too early, its number could already be another file's. */
  async #use<T>(operation: (descriptor: number) => Promise<T>): Promise<T> {
    this.#operations += 1;
    try {
      return await operation(this.#open());
    } catch (cause) {
      throw storeFailure(this.path, cause);
    } finally {
      this.#operations -= 1;
      if (this.#closed) this.close();
    }
  }

  #open(): number {
    if (this.#closed) throw new SandboxError("internal_error", `${this.path} is closed.`);
    this.#descriptor ??= openSync(this.path, constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK, 0o600);
    this.#files.used(this);
    return this.#descriptor;
  }

  #tryToMend(): void {
    try {
      if (this.#descriptor !== undefined) this.#mend(this.#descriptor);
    } catch {
      // Stays torn; the next append mends it before it writes, and so does the next start.
    }
  }

  #mend(descriptor: number): void {
    ftruncateSync(descriptor, this.#size);
    this.#torn = false;
  }
}
