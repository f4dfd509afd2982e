import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A new directory that is gone when the test is. */
export function temporaryDirectory(parent = tmpdir()): string {
  const directory = mkdtempSync(join(parent, "sandbox-agent-store-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

const memoryDisk = "/dev/shm";

/** The same in memory where there is such a disk: for tests that open a store a thousand times and wait for no disk. */
export function quickDirectory(): string {
  return temporaryDirectory(existsSync(memoryDisk) ? memoryDisk : tmpdir());
}
