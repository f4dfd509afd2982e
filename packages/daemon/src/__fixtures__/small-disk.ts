import { execFileSync } from "node:child_process";
import { mkdtempSync, rmdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

const megabytes = 8;

export function mayMount(): boolean {
  return process.platform === "linux" && process.getuid?.() === 0 && canMountHere();
}

/** A disk of a few megabytes for one test, which can be filled and emptied again. */
export class SmallDisk {
  readonly directory: string;
  readonly #filler: string;

  constructor() {
    this.directory = mkdtempSync(join(tmpdir(), "sandbox-agent-disk-"));
    this.#filler = join(this.directory, "filler");
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", this.directory]);
    onTestFinished(() => {
      execFileSync("umount", ["--lazy", this.directory]);
      rmdirSync(this.directory);
    });
  }

  /** Take so many bytes, or everything that is left. */
  fill(bytes = this.#left()): void {
    writeFileSync(this.#filler, Buffer.alloc(bytes), { flag: "a" });
  }

  empty(): void {
    rmSync(this.#filler);
  }

  #left(): number {
    const { bavail, bsize } = statfsSync(this.directory);
    return bavail * bsize;
  }
}

function canMountHere(): boolean {
  const directory = mkdtempSync(join(tmpdir(), "sandbox-agent-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "tmpfs", directory], { stdio: "ignore" });
    execFileSync("umount", [directory], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(directory);
  }
}
