import { lstat, mkdir, readdir, unlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { readRegularText } from "@sandbox-agent-ts/agents";
import { isTemporaryName } from "./write-file.ts";

/** Notes of temporary files in the user's directories, so that the next daemon removes what a killed one left there. */
export class UploadNotes {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Note the file before it is made. Answers how to take the note back when it is gone. */
  async add(path: string): Promise<() => Promise<void>> {
    const note = join(this.#directory, basename(path));
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    await writeFile(note, path, { mode: 0o600, flag: "wx" });
    return () => unlink(note).catch(() => undefined);
  }

  /** Remove what is noted; a file that is none of ours stays. */
  async clean(): Promise<void> {
    for (const name of await readdir(this.#directory).catch(() => [])) {
      const note = join(this.#directory, name);
      const path = await readRegularText(note).catch(() => "");
      if (isTemporaryName(name) && basename(path) === name && (await isFile(path))) {
        await unlink(path).catch(() => undefined);
      }
      await unlink(note).catch(() => undefined);
    }
  }
}

async function isFile(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isFile() ?? false;
}
