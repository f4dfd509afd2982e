import ignore, { type Ignore } from "ignore";

interface Level {
  /** The directory of the `.gitignore`, with a slash at its end; empty for the top. */
  readonly prefix: string;
  readonly rules: Ignore;
}

/** What the `.gitignore` files from the top down to a directory say, the deepest first. */
export class IgnoreRules {
  readonly #levels: readonly Level[];

  constructor(levels: readonly Level[] = []) {
    this.#levels = levels;
  }

  /** With those of one directory further down. */
  below(directory: string, text: string): IgnoreRules {
    const prefix = directory === "" ? "" : `${directory}/`;
    return new IgnoreRules([{ prefix, rules: ignore({ allowRelativePaths: true }).add(text) }, ...this.#levels]);
  }

  ignores(path: string, isDirectory: boolean): boolean {
    for (const { prefix, rules } of this.#levels) {
      const { ignored, unignored } = rules.test(path.slice(prefix.length) + (isDirectory ? "/" : ""));
      if (ignored || unignored) return ignored;
    }
    return false;
  }
}
