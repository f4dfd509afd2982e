import { posix } from "node:path";
import { pack } from "tar-stream";
import type { SandboxFile } from "../sandbox-provider.ts";
import { quoted } from "../shell-text.ts";

const defaultMode = 0o644;
const blockBytes = 512;

/** A command that takes files from its standard input and puts each in its place. */
export interface Upload {
  readonly command: readonly string[];
  readonly input: AsyncIterable<Uint8Array>;
}

/**
 * One archive, in which the files have numbers for names, so that any tar understands it, and a script that says where they
 * belong. Its length is in the command, because older clusters cannot say that an input ends. `near`: a directory in the same
 * volume, if it can be written to.
 */
export function uploadOf(files: readonly SandboxFile[], near: string): Upload {
  const script = Buffer.from(placeAll(files));
  const bytes = [script, ...files.map(({ data }) => data)].reduce((sum, { length }) => sum + entryBytes(length), 0);
  return {
    command: ["sh", "-c", unpack, "sh", String(bytes + 2 * blockBytes), near],
    input: archiveOf(files, script),
  };
}

const unpack = [
  'd=$(mktemp -d "$2/.upload.XXXXXX" 2>/dev/null || mktemp -d) || exit 1',
  'head -c "$1" | tar -xof - -C "$d" && (cd "$d" && sh ./place)',
  'code=$?; rm -rf -- "$d"; exit "$code"',
].join("\n");

function placeAll(files: readonly SandboxFile[]): string {
  const lines = files.map(({ path, mode = defaultMode }, index) =>
    ["place", String(index), mode.toString(8), quoted(path), quoted(posix.dirname(path))].join(" "),
  );
  return [
    "set -e; umask 022",
    'place() { mkdir -p -- "$4"; if [ -d "$3" ]; then echo "$3 is a directory" >&2; exit 1; fi; chmod "$2" "$1"; mv -f -- "$1" "$3"; }',
    ...lines,
    "",
  ].join("\n");
}

const entryBytes = (length: number) => blockBytes + Math.ceil(length / blockBytes) * blockBytes;

async function* archiveOf(files: readonly SandboxFile[], script: Buffer): AsyncGenerator<Uint8Array> {
  const archive = pack();
  archive.entry({ name: "place", mode: 0o600 }, script);
  for (const [index, { data }] of files.entries())
    archive.entry({ name: String(index), mode: 0o600 }, Buffer.from(data));
  archive.finalize();
  yield* archive as AsyncIterable<Uint8Array>;
}
