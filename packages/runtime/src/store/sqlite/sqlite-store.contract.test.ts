import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeRuntimeStore } from "../contract/describe-runtime-store.ts";
import { openSqliteStore } from "./open-sqlite-store.ts";

describeRuntimeStore("sqlite", async () => {
  const directory = mkdtempSync(join(tmpdir(), "sandbox-agent-sqlite-"));
  const file = join(directory, "runtime.db");
  let store = await openSqliteStore(file);
  return {
    store,
    reopen: async () => {
      await store.close();
      store = await openSqliteStore(file);
      return store;
    },
    destroy: async () => {
      await store.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
});
