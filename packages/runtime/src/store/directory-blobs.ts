import { createHash, randomBytes } from "node:crypto";
import { mkdir, open, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { BlobStore } from "./checkpoint-store.ts";

const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/** Contents as files of a directory, which is made with the first one. */
export class DirectoryBlobs implements BlobStore {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async put(bytes: AsyncIterable<Uint8Array>): Promise<{ hash: string; size: number }> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const temporary = join(this.#directory, `${randomBytes(9).toString("hex")}.tmp`);
    const handle = await open(temporary, "wx", 0o600);
    const sum = createHash("sha256");
    let size = 0;
    try {
      for await (const chunk of bytes) {
        sum.update(chunk);
        size += chunk.length;
        await handle.writeFile(chunk);
      }
      await handle.sync();
      await handle.close();
      const hash = sum.digest("hex");
      await rename(temporary, this.#pathOf(hash));
      return { hash, size };
    } catch (error) {
      await handle.close().catch(() => {});
      await unlink(temporary).catch(() => {});
      throw error;
    }
  }

  async read(hash: string): Promise<AsyncIterable<Uint8Array> | undefined> {
    if (!isHash(hash)) return undefined;
    try {
      return (await open(this.#pathOf(hash))).createReadStream() as AsyncIterable<Uint8Array>;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
  }

  async delete(hashes: readonly string[]): Promise<void> {
    for (const hash of hashes.filter(isHash)) await unlink(this.#pathOf(hash)).catch(() => {});
  }

  #pathOf(hash: string): string {
    return join(this.#directory, hash);
  }
}
