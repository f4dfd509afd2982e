import { posix } from "node:path";
import type { SandboxFile } from "../sandbox-provider.ts";
import { quoted } from "../shell-text.ts";

/** Linux takes no longer argument than 128 KiB. */
const longestScript = 64 * 1024;
const defaultMode = 0o644;

/** A command for a shell that is to change nothing of it. */
export function shellWords(words: readonly string[]): string {
  return words.map(quoted).join(" ");
}

const prepare = `set -e; umask 077
prepare() { mkdir -p -m 755 -- "$2"; rm -f -- "$2/$3"; : > "$2/$3"; chmod "$1" -- "$2/$3"; }`;

/** Scripts that put an empty file with its mode in the place of each. */
export function prepareFiles(files: readonly SandboxFile[]): readonly string[] {
  const scripts: string[] = [];
  let script = prepare;
  for (const { path, mode = defaultMode } of files) {
    const line = `\nprepare ${shellWords([mode.toString(8), posix.dirname(path), posix.basename(path)])}`;
    if (script.length + line.length > longestScript) {
      scripts.push(script);
      script = prepare;
    }
    script += line;
  }
  return [...scripts, script];
}
