import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { type FileName, fileName } from "./file-name.ts";

const openFiles = "/proc/self/fd";
const canAnchor = existsSync(openFiles);
const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * A directory that stays the same one while it is worked in, as `HeldDirectory`, for work on thousands of small files: its
 * calls are made at once, because handing each to another thread costs more than the call.
 */
export class OpenDirectory {
  readonly #fd: number;
  readonly #prefix: string;
  /** Where it was when it was opened; undefined where that is no text. */
  readonly #path: string | undefined;

  private constructor(fd: number, path: string, isText = true) {
    this.#fd = fd;
    this.#path = isText ? path : undefined;
    this.#prefix = canAnchor ? `${openFiles}/${fd}/` : `${path}/`;
  }

  /** Undefined where what was opened is not what was meant. */
  static at(real: string): OpenDirectory | undefined {
    const opened = new OpenDirectory(openSync(real, flags), real);
    const found = canAnchor ? readlinkSync(`${openFiles}/${opened.#fd}`) : realpathSync(real);
    if (found === real) return opened;
    opened.close();
    return undefined;
  }

  /** A name in it, as a path for calls that do not follow a symlink there. */
  at(name: FileName): string | Buffer {
    return typeof name === "string" ? this.#prefix + name : Buffer.concat([Buffer.from(this.#prefix), name]);
  }

  /**
   * What a name is if nobody has moved anything on the way since, at half the cost; undefined where that cannot be said. Good
   * for recognising what is known, and for nothing else: a symlink on the way is followed.
   */
  glance(name: FileName): Stats | undefined {
    if (this.#path === undefined || typeof name !== "string") return undefined;
    try {
      return lstatSync(`${this.#path}/${name}`, { throwIfNoEntry: false });
    } catch {
      return undefined;
    }
  }

  names(): FileName[] {
    return readdirSync(this.#prefix, { encoding: "buffer" }).map(fileName);
  }

  /** Steps down; never through a symlink. */
  child(name: FileName): OpenDirectory {
    const fd = openSync(this.at(name), flags);
    return new OpenDirectory(fd, `${this.#path}/${name}`, this.#path !== undefined && typeof name === "string");
  }

  /** Steps down into a directory that is made when it is missing. */
  makeChild(name: FileName): OpenDirectory {
    try {
      return this.child(name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      mkdirSync(this.at(name));
      return this.child(name);
    }
  }

  close(): void {
    closeSync(this.#fd);
  }
}
