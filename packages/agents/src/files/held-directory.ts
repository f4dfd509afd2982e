import { constants, existsSync } from "node:fs";
import { type FileHandle, mkdir, open, readdir, readlink, realpath } from "node:fs/promises";

const openDirectories = "/proc/self/fd";
const canAnchor = existsSync(openDirectories);
const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * A directory that stays the same one while it is worked in.
 *
 * Between checking a path and using it somebody may swap a directory on the way for a symlink. So the directory is
 * opened first, then asked where it really is, and from then on reached through its descriptor
 * (`/proc/self/fd/7/name`), which no rename can redirect. Names are single components and no caller follows a symlink in
 * them, so nothing can lead out. Without `/proc` (macOS) the plain path is used, and the moment between check and use
 * remains.
 */
export class HeldDirectory {
  readonly #handle: FileHandle;
  readonly #anchor: string;

  private constructor(handle: FileHandle, path: string) {
    this.#handle = handle;
    this.#anchor = canAnchor ? `${openDirectories}/${handle.fd}` : path;
  }

  /** `undefined` when what was opened is not where it is allowed to be. */
  static async open(path: string, isAllowed: (real: string) => boolean): Promise<HeldDirectory | undefined> {
    const held = new HeldDirectory(await open(path, flags), path);
    try {
      if (isAllowed(await held.#whereabouts())) return held;
    } catch (error) {
      await held.close();
      throw error;
    }
    await held.close();
    return undefined;
  }

  /** A name in this directory, as a path for filesystem calls. */
  at(name: string): string;
  at(name: string | Buffer): string | Buffer;
  at(name: string | Buffer): string | Buffer {
    const prefix = `${this.#anchor}/`;
    return typeof name === "string" ? prefix + name : Buffer.concat([Buffer.from(prefix), name]);
  }

  /** The names in it, as bytes, because a name need not be UTF-8. */
  names(): Promise<Buffer[]> {
    return readdir(this.at("."), { encoding: "buffer" });
  }

  /** Steps down; never through a symlink. */
  async child(name: string | Buffer): Promise<HeldDirectory> {
    const path = this.at(name);
    return new HeldDirectory(await open(path, flags), path.toString());
  }

  /** Steps down into a directory that is made when it is missing. */
  async makeChild(name: string): Promise<HeldDirectory> {
    await mkdir(this.at(name)).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    });
    return this.child(name);
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  #whereabouts(): Promise<string> {
    return canAnchor ? readlink(this.#anchor) : realpath(this.#anchor);
  }
}
