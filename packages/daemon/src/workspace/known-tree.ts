import type { Stats } from "node:fs";
import type { FileName } from "./file-name.ts";
import { IgnoreRules } from "./ignore-rules.ts";

/** The clock of a file system may be this much behind. */
const clockStepMs = 50;

/** What changes with the content of a file or directory. */
export class Version {
  readonly #size: number;
  readonly #mtimeMs: number;
  readonly #ctimeMs: number;
  readonly #dev: number;
  readonly #ino: number;
  readonly #mode: number;
  /** A change in the same moment would leave all of it as it is; then it says nothing. */
  readonly #isSure: boolean;

  constructor({ size, mtimeMs, ctimeMs, dev, ino, mode }: Stats, readAt: number) {
    this.#size = size;
    this.#mtimeMs = mtimeMs;
    this.#ctimeMs = ctimeMs;
    this.#dev = dev;
    this.#ino = ino;
    this.#mode = mode;
    this.#isSure = ctimeMs < readAt - clockStepMs;
  }

  /** Whether nothing has changed since. */
  isStill({ size, mtimeMs, ctimeMs, dev, ino, mode }: Stats): boolean {
    return (
      this.#isSure &&
      ctimeMs === this.#ctimeMs &&
      mtimeMs === this.#mtimeMs &&
      size === this.#size &&
      ino === this.#ino &&
      dev === this.#dev &&
      mode === this.#mode
    );
  }
}

/** A file or symlink as it was when it was looked at. */
export interface KnownEntry {
  readonly version: Version;
  readonly size: number;
  /** Its line in the manifest. */
  readonly line: string;
}

/** A directory as it was when it was looked at, so that the next look costs a call per entry and nothing more. */
export class KnownDirectory {
  version: Version | undefined;
  names: readonly FileName[] = [];
  line = "";
  rules = new IgnoreRules();
  /** What the rules were made of. */
  rulesFrom: { readonly above: IgnoreRules; readonly version: Version | undefined } | undefined;
  readonly entries = new Map<string, KnownEntry>();
  readonly directories = new Map<string, KnownDirectory>();
  /** Whether a name is ignored, for its kind. */
  readonly ignored = new Map<string, boolean>();

  /** Forget what is not there any more. */
  keep(keys: ReadonlySet<string>): void {
    for (const known of [this.entries, this.directories]) {
      for (const key of known.keys()) if (!keys.has(key)) known.delete(key);
    }
    this.ignored.clear();
  }
}
