import { mkdtempSync, realpathSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AtEnd, atEndOfTest } from "./at-end.ts";

/** A directory that is gone when the test is. */
export function temporaryDirectory(atEnd: AtEnd = atEndOfTest): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "sandbox-agent-daemon-")));
  atEnd(() => rm(directory, { recursive: true, force: true, maxRetries: 3 }));
  return directory;
}
