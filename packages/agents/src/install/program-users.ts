import { execFile } from "node:child_process";
import { readdir, readFile, readlink } from "node:fs/promises";
import { sep } from "node:path";
import { promisify } from "node:util";

export interface ProgramUser {
  readonly pid: number;
  readonly command: string;
}

/** A program, its interpreter's options, and the script come first; a path further on is only mentioned. */
const programWords = 4;

/** The processes of this machine that run a program below this directory, as far as this user may see them. */
export async function programUsers(directory: string): Promise<ProgramUser[]> {
  const isBelow = (path: string) => path.startsWith(directory + sep);
  const running = process.platform === "linux" ? await fromProc() : await fromPs();
  return running
    .filter(({ pid, words }) => pid !== process.pid && words.slice(0, programWords + 1).some(isBelow))
    .map(({ pid, words }) => ({ pid, command: words.slice(1).join(" ") }));
}

interface Running {
  readonly pid: number;
  /** The executable file, then its arguments. */
  readonly words: readonly string[];
}

async function fromProc(): Promise<Running[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  return Promise.all(
    pids.map(async (pid) => {
      const [executable, line] = await Promise.all([
        readlink(`/proc/${pid}/exe`).catch(() => ""),
        readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => ""),
      ]);
      return { pid: Number(pid), words: [executable, ...line.split("\0").filter(Boolean)] };
    }),
  );
}

async function fromPs(): Promise<Running[]> {
  const { stdout } = await promisify(execFile)("ps", ["-axo", "pid=,command="], { maxBuffer: 16 * 1024 * 1024 });
  return stdout.split("\n").flatMap((line) => {
    const [, pid, command = ""] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), words: ["", ...command.split(" ")] }];
  });
}
