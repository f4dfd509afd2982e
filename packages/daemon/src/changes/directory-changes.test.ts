import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryDirectory } from "../__fixtures__/temporary-directory.ts";
import { Deferred } from "../sessions/deferred.ts";
import { DirectoryChanges } from "./directory-changes.ts";
import type { DirectorySnapshots, Snapshot } from "./directory-snapshots.ts";

/** A session's changes on snapshots that are complete when the test says so. */
function changesOn(turnIds: readonly string[]) {
  const captures: Deferred<Snapshot>[] = [];
  const snapshots = {
    ownerFile: () => join(temporaryDirectory(), "owner.jsonl"),
    capture: () => {
      const capture = new Deferred<Snapshot>();
      captures.push(capture);
      return capture.promise;
    },
    source: async () => "git",
    compare: async () => ({ files: [], patch: undefined, notes: [], truncated: false }),
  } as unknown as DirectorySnapshots;
  const changes = new DirectoryChanges({
    sessionId: "s",
    uid: "u",
    directory: "/d",
    createdAt: 0,
    snapshots,
    turns: async function* () {
      for (const turnId of turnIds) yield { turnId, message: "", attachments: [], after: 0, admittedAt: 1 };
    },
    events: async function* () {},
  });
  const complete = (index: number) => captures[index]!.resolve({ tree: `tree${index}`, time: 1, notes: [] });
  return { changes, complete, captures };
}

it("the first turn waits for its snapshot, later ones do not", async () => {
  const { changes, complete, captures } = changesOn(["one", "two"]);
  let isReady = false;
  const ready = changes.turnStarts("one").then(() => {
    isReady = true;
  });
  await expect.poll(() => captures.length).toBe(1);
  expect(isReady).toBe(false);
  complete(0);
  await ready;
  await changes.turnStarts("two");
  expect(captures).toHaveLength(2);
});

it("a snapshot that is complete after the agent began to act says so, one that was before does not", async () => {
  const { changes, complete } = changesOn(["one", "two"]);
  const ready = changes.turnStarts("one");
  await expect.poll(() => complete(0)).toBeUndefined();
  await ready;
  changes.agentActs();
  await changes.turnStarts("two");
  changes.agentActs();
  complete(1);
  const notesOf = async (query: { turn?: string; until: string }) => (await changes.diff(query)).notes ?? [];
  expect(await notesOf({ until: "one" })).toEqual([]);
  expect((await notesOf({ turn: "two", until: "two" })).join()).toContain(
    "changes of the first moments may be missing",
  );
});
