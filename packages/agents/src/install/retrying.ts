import { setTimeout as sleep } from "node:timers/promises";
import type { SandboxError } from "@sandbox-agent-ts/protocol";

/** A failure that may pass by itself, wrapped for `retrying`, which hands on only what is inside. */
export class Transient extends Error {
  readonly failure: SandboxError;

  constructor(failure: SandboxError) {
    super(failure.message);
    this.failure = failure;
  }
}

/** Tries again after each pause, as long as the failure is transient. */
export async function retrying<T>(pausesMs: readonly number[], attempt: () => Promise<T>): Promise<T> {
  for (let tried = 0; ; tried++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Transient)) throw error;
      const pauseMs = pausesMs[tried];
      if (pauseMs === undefined) throw error.failure;
      await sleep(pauseMs);
    }
  }
}
