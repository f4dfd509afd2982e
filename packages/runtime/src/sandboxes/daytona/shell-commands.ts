import { randomBytes } from "node:crypto";
import { posix } from "node:path";
import type { RunResult } from "../hosted/hosted-machine.ts";
import type { SandboxFile } from "../sandbox-provider.ts";
import { quoted } from "../shell-text.ts";

/** Linux takes no longer argument than 128 KiB. */
const longestScript = 64 * 1024;
const defaultMode = 0o644;
const ownerWrites = 0o200;

const line = (command: readonly string[]) => command.map(quoted).join(" ");

/** Daytona answers both outputs of a command as one: its errors are put behind a mark, which says where. */
export class MarkedCommand {
  readonly #mark = `--${randomBytes(12).toString("hex")}--`;
  readonly text: string;

  constructor(command: readonly string[]) {
    // The shell reads its commands from its standard input, which is not for what it runs.
    this.text = [
      "errors=$(mktemp) || exit 125",
      `${line(command)} </dev/null 2>"$errors"`,
      "code=$?",
      `printf %s ${this.#mark}`,
      'cat "$errors"',
      'rm -f "$errors"',
      "exit $code",
    ].join("\n");
  }

  /** Of a shell that did not come so far all is errors. */
  resultOf(code: number, output: string): RunResult {
    const at = output.indexOf(this.#mark);
    if (at < 0) return { code, stdout: "", stderr: output };
    return { code, stdout: output.slice(0, at), stderr: output.slice(at + this.#mark.length) };
  }
}

/** Lives on in a session of its own, where there is a program for that. */
export function inBackground(command: readonly string[]): string {
  return `own=$(command -v setsid)\n$own ${line(command)} </dev/null >/dev/null 2>&1 &`;
}

const prepare = `set -e; umask 077
prepare() { mkdir -p -m 755 -- "$2"; rm -f -- "$2/$3"; : > "$2/$3"; chmod "$1" -- "$2/$3"; }`;

/** Scripts that put an empty file in the place of each that is to be written, with its mode: uploads keep that. */
export function placeholders(files: readonly SandboxFile[]): readonly string[] {
  const words = ({ path, mode = defaultMode }: SandboxFile) =>
    line([(mode | ownerWrites).toString(8), posix.dirname(path), posix.basename(path)]);
  return scripts(
    prepare,
    files.map((file) => `prepare ${words(file)}`),
  );
}

/** Scripts for what its owner may not write to, once it is written. */
export function closings(files: readonly SandboxFile[]): readonly string[] {
  const closed = files.filter(({ mode = defaultMode }) => (mode & ownerWrites) === 0);
  return closed.length === 0
    ? []
    : scripts(
        "set -e",
        closed.map(({ path, mode }) => `chmod ${mode!.toString(8)} -- ${quoted(path)}`),
      );
}

function scripts(head: string, lines: readonly string[]): readonly string[] {
  const all: string[] = [];
  let script = head;
  for (const next of lines) {
    if (script.length + next.length > longestScript) {
      all.push(script);
      script = head;
    }
    script += `\n${next}`;
  }
  return [...all, script];
}
