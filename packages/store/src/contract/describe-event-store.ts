import { afterEach, beforeEach, describe } from "vitest";
import type { EventStore } from "../event-store.ts";
import { describeEvents } from "./describe-events.ts";
import { describePages } from "./describe-pages.ts";
import { describeRestarts } from "./describe-restarts.ts";
import { describeSessions } from "./describe-sessions.ts";
import { describeTurns } from "./describe-turns.ts";
import type { ContractOptions, MakeStore, StoreUnderTest } from "./store-under-test.ts";

export { oddSessionIds } from "./odd-session-ids.ts";
export { numbered, parsePage, rawOf, readTexts, sampleBatch, sampleRaw } from "./sample-log.ts";
export type { ContractOptions, MakeStore, StoreUnderTest };

/**
 * Everything `EventStore` promises, as tests. A driver is done when it passes them:
 *
 *     describeEventStore("sqlite", async () => {
 *       const file = await temporaryFile();
 *       let store = new SqliteStore(file);
 *       return {
 *         store,
 *         reopen: async () => { await store.close(); return (store = new SqliteStore(file)); },
 *         destroy: () => rm(file),
 *       };
 *     });
 *
 * `make` gives a fresh, empty store each time. What takes a machine to break (a process killed while it writes, a full
 * disk) is the driver's own to test.
 */
export function describeEventStore(name: string, make: MakeStore, options: ContractOptions = {}): void {
  describe(`event store: ${name}`, () => {
    let current: StoreUnderTest;

    beforeEach(async () => {
      current = await make();
      await current.store.sessions();
    });

    afterEach(() => current.destroy());

    const store = (): EventStore => current.store;
    describeSessions(store);
    describeEvents(store);
    describePages(store);
    describeTurns(store);
    describeRestarts(() => current, options);
  });
}
