import { type ChildProcessWithoutNullStreams, spawnSync } from "node:child_process";
import { once } from "node:events";
import { stripVTControlCharacters } from "node:util";
import { describe } from "vitest";
import { shellQuote } from "../output/shell-quote.ts";

export interface TerminalOptions {
  readonly columns?: number;
  readonly rows?: number;
  /** Added to the environment of the program; `TERM` is xterm-256color unless it says otherwise. */
  readonly env?: Readonly<Record<string, string>>;
  /** What a shell would redirect, e.g. `2>errors.txt`; everything else is the terminal. */
  readonly redirect?: string;
}

/** The command that runs another one in a pseudo-terminal, whose other end is its stdin and stdout. */
export function terminalCommand(command: readonly string[], options: TerminalOptions): [string, string[]] {
  const { columns = 100, rows = 30, redirect = "" } = options;
  const line = `stty cols ${columns} rows ${rows} -echo; exec ${command.map(shellQuote).join(" ")} ${redirect}`;
  return ["script", ["-qfec", line, "/dev/null"]];
}

/** A program in a pseudo-terminal: read what it shows, type into it. Made by `CliHome.terminal`. */
export class TerminalRun {
  readonly exited: Promise<number>;
  readonly #child: ChildProcessWithoutNullStreams;
  #raw = "";

  constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child;
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      this.#raw += chunk;
    });
    this.exited = once(child, "close").then(([code]) => code as number);
  }

  /** Everything it wrote so far, with colours. */
  get raw(): string {
    return this.#raw.replaceAll("\r\n", "\n");
  }

  /** The same without colours and other control sequences. */
  get text(): string {
    return stripVTControlCharacters(this.raw);
  }

  /** Keys as a terminal sends them: `\r` is Enter, `\x03` Ctrl-C, `\x1b` Esc. */
  type(keys: string): void {
    this.#child.stdin.write(keys);
  }

  /** Wait until its text matches; when it ends before, that is an error which shows the text. */
  async until(pattern: RegExp | string): Promise<string> {
    const isThere = (): boolean =>
      typeof pattern === "string" ? this.text.includes(pattern) : pattern.test(this.text);
    while (!isThere()) {
      if (this.#child.stdout.readableEnded) throw new Error(`The program ended without ${pattern}: ${this.text}`);
      await Promise.race([once(this.#child.stdout, "data"), this.exited]);
    }
    return this.text;
  }

  /** Wait for its end. */
  async end(): Promise<{ code: number; text: string; raw: string }> {
    const code = await this.exited;
    return { code, text: this.text, raw: this.raw };
  }
}

/** Tests that need a pseudo-terminal; where none can be made without an addon the group says so in its title. */
export function describeInTerminal(title: string, tests: () => void): void {
  const { stdout } = spawnSync("script", ["--version"], { encoding: "utf8" });
  const isThere = (stdout ?? "").includes("util-linux");
  const missing = " (not here: needs `script` of util-linux)";
  describe.skipIf(!isThere)(isThere ? title : title + missing, tests);
}
