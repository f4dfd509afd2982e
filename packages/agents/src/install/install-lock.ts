import { setTimeout as sleep } from "node:timers/promises";
import { tryProcessLock } from "../process/process-lock.ts";
import { installFailure } from "./install-failure.ts";

const lookAgainMs = 200;
/** Longer than any download that is worth waiting for. */
const maxWaitMs = 30 * 60 * 1000;

/** Work that only one process does at a time; the others wait for it, or inherit when it dies. */
export async function withInstallLock<T>(path: string, work: () => Promise<T>, onWait?: () => void): Promise<T> {
  const release = await takeWhenFree(path, onWait);
  try {
    return await work();
  } finally {
    release();
  }
}

async function takeWhenFree(path: string, onWait?: () => void): Promise<() => void> {
  const end = performance.now() + maxWaitMs;
  for (let tried = 0; ; tried++) {
    const attempt = tryProcessLock(path);
    if ("release" in attempt) return attempt.release;
    if (tried === 0) onWait?.();
    if (performance.now() > end) throw stuck(attempt.heldBy);
    await sleep(lookAgainMs);
  }
}

function stuck(pid: number | undefined): Error {
  const who = pid === undefined ? "Another process" : `The process with pid ${pid}`;
  return installFailure(`${who} has been installing the same agent for too long. End it and try again.`, {
    step: "store",
  });
}
