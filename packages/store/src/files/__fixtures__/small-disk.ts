import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const diskBytes = 256 * 1024;
const ballastBytes = 64 * 1024;

const run = (program: string, ...args: string[]): void => void execFileSync(program, args, { stdio: "ignore" });

/** A tiny disk in memory, a quarter of which can be set free. Mounting it takes the rights of root. */
export class SmallDisk {
  readonly directory: string;
  readonly #ballast: string;

  constructor() {
    this.directory = mkdtempSync(join(tmpdir(), "sandbox-agent-small-disk-"));
    this.#ballast = join(this.directory, "ballast");
    try {
      run("mount", "-t", "tmpfs", "-o", `size=${diskBytes},mode=700`, "sandbox-agent-test", this.directory);
    } catch (error) {
      rmSync(this.directory, { recursive: true });
      throw error;
    }
    writeFileSync(this.#ballast, Buffer.alloc(ballastBytes));
  }

  freeSpace(): void {
    rmSync(this.#ballast);
  }

  makeReadOnly(): void {
    run("mount", "-o", "remount,ro", this.directory);
  }

  /** Lazily, so that a failed test which left a file open leaves no disk behind. */
  unmount(): void {
    run("umount", "--lazy", this.directory);
    rmSync(this.directory, { recursive: true });
  }
}

/** Whether this process may mount a disk at all. */
export function canMount(): boolean {
  try {
    new SmallDisk().unmount();
    return true;
  } catch {
    return false;
  }
}
