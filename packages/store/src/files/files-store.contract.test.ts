import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeEventStore } from "../contract/describe-event-store.ts";
import { FilesStore } from "./files-store.ts";

describeEventStore("files", async () => {
  const directory = mkdtempSync(join(tmpdir(), "sandbox-agent-store-"));
  let store = new FilesStore(directory);
  return {
    store,
    reopen: async () => {
      await store.close();
      store = new FilesStore(directory);
      return store;
    },
    destroy: async () => {
      await store.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
});
