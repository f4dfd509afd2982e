import { setTimeout as sleep } from "node:timers/promises";
import { SandboxAgentError } from "../sandbox-agent-error.ts";
import type { DaemonProcess } from "./daemon-process.ts";

const POLL_MS = 50;
const PROBE_TIMEOUT_MS = 1_000;

/** Resolves when the daemon answers; rejects when it ends before, or takes too long, with what it wrote to stderr. */
export async function waitForHealth(baseUrl: string, daemon: DaemonProcess, timeoutMs: number): Promise<void> {
  const stop = new AbortController();
  const ended = daemon.ended.then((how) => {
    throw SandboxAgentError.withoutResponse(`The daemon did not start: ${how}.${daemon.lastWords()}`);
  });
  const late = sleep(timeoutMs, undefined, { signal: stop.signal }).then(() => {
    throw SandboxAgentError.withoutResponse(
      `The daemon did not answer at ${baseUrl} within ${timeoutMs} ms.${daemon.lastWords()}`,
    );
  });
  try {
    await Promise.race([poll(`${baseUrl}/v1/health`, stop.signal), ended, late]);
  } finally {
    stop.abort();
  }
}

async function poll(url: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && !(await isHealthy(url))) await sleep(POLL_MS);
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
