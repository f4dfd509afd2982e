import { execFileSync } from "node:child_process";
import { mkdtempSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

const megabytes = 8;
const page = 4096;

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

  /** Take so many bytes. */
  take(bytes: number): void {
    writeFileSync(this.#filler, Buffer.alloc(bytes), { flag: "a" });
  }

  /** Take everything that is left, also while others write. */
  fill(): void {
    try {
      while (true) this.take(page);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    }
  }

  empty(): void {
    rmSync(this.#filler);
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
