import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeRuntimeStore } from "../contract/describe-runtime-store.ts";
import type { RuntimeStore } from "../runtime-store.ts";
import { openSqliteStore } from "./open-sqlite-store.ts";

describeRuntimeStore("sqlite", async () => {
  const directory = mkdtempSync(join(tmpdir(), "sandbox-agent-sqlite-"));
  const file = join(directory, "runtime.db");
  let store = await openSqliteStore(file);
  const guests: RuntimeStore[] = [];
  return {
    store,
    reopen: async () => {
      await store.close();
      store = await openSqliteStore(file);
      return store;
    },
    another: async () => {
      const guest = await openSqliteStore(file, { isGuest: true });
      guests.push(guest);
      return guest;
    },
    destroy: async () => {
      for (const open of [...guests, store]) await open.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
});
