import { afterEach, beforeEach, describe } from "vitest";
import type { RuntimeStore } from "../runtime-store.ts";
import { describeAccess } from "./describe-access.ts";
import { describeCheckpoints } from "./describe-checkpoints.ts";
import { describeLeases } from "./describe-leases.ts";
import { describeLog } from "./describe-log.ts";
import { describePages } from "./describe-pages.ts";
import { describeProfileVersions } from "./describe-profile-versions.ts";
import { describeQuotas } from "./describe-quotas.ts";
import { describeRecords } from "./describe-records.ts";
import { describeRequests } from "./describe-requests.ts";
import { describeRestarts } from "./describe-restarts.ts";
import { describeSandboxes } from "./describe-sandboxes.ts";
import { describeSessionLists } from "./describe-session-lists.ts";
import { describeSessions } from "./describe-sessions.ts";
import { describeTurns } from "./describe-turns.ts";
import type {
  OpenRuntimeStore,
  RuntimeStoreContractOptions,
  RuntimeStoreUnderTest,
} from "./runtime-store-under-test.ts";

export type { OpenRuntimeStore, RuntimeStoreContractOptions, RuntimeStoreUnderTest };

/**
 * Everything `RuntimeStore` promises, as tests. A driver is done when it passes them:
 *
 *     describeRuntimeStore("mine", async () => {
 *       const place = await temporaryPlace();
 *       let store = await MyStore.open(place);
 *       return {
 *         store,
 *         reopen: async () => { await store.close(); return (store = await MyStore.open(place)); },
 *         another: async () => { others.push(await MyStore.open(place)); return others.at(-1); },
 *         destroy: async () => { for (const it of [store, ...others]) await it.close(); await place.remove(); },
 *       };
 *     });
 *
 * `open` gives a fresh, empty store each time. What takes a machine to break (a process killed while it writes, a full
 * disk) is the driver's own to test.
 */
export function describeRuntimeStore(
  name: string,
  open: OpenRuntimeStore,
  options: RuntimeStoreContractOptions = {},
): void {
  describe(`runtime store: ${name}`, () => {
    let current: RuntimeStoreUnderTest;

    beforeEach(async () => {
      current = await open();
    });

    afterEach(() => current.destroy());

    const store = (): RuntimeStore => current.store;
    describeSessions(store);
    describeSessionLists(store);
    describeLeases(store);
    describeLog(store);
    describePages(store);
    describeTurns(store);
    describeRequests(store);
    describeSandboxes(store);
    describeRecords(store);
    describeProfileVersions(() => current);
    describeCheckpoints(store);
    describeAccess(store);
    describeQuotas(() => current);
    describeRestarts(() => current, options);
  });
}
