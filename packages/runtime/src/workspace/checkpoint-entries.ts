import type { WorkspaceEntry } from "@sandbox-agent-ts/protocol";
import type { CheckpointStore } from "../store/checkpoint-store.ts";
import { pathBytesOf } from "../store/entry-path.ts";

const pageSize = 1_000;

/** The entries of a checkpoint in the order of their paths, a page at a time. */
export async function* checkpointEntries(
  store: CheckpointStore,
  sessionId: string,
  number: number,
): AsyncGenerator<WorkspaceEntry, void, undefined> {
  for (let after: Uint8Array | undefined; ; ) {
    const page = await store.entries(sessionId, number, { after, limit: pageSize });
    yield* page;
    if (page.length < pageSize) return;
    after = pathBytesOf(page.at(-1)!);
  }
}
