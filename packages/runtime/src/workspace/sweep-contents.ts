import { setImmediate } from "node:timers/promises";
import type { Logger } from "@sandbox-agent-ts/server";
import type { CheckpointStore } from "../store/checkpoint-store.ts";

/** What was put so recently may be part of a checkpoint that is on its way. */
const graceMs = 60 * 60_000;

/** Remove contents that no checkpoint names any more, a piece at a time. Never rejects. */
export async function sweepContents(store: CheckpointStore, log: Logger): Promise<void> {
  try {
    for (let at: string | undefined = ""; at !== undefined; await setImmediate())
      at = await store.sweepBlobs(at, graceMs);
  } catch (err) {
    log.error({ err }, "contents that nothing names could not be removed");
  }
}
