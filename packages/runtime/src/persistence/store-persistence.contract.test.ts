import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { MemoryRuntimeStore } from "../store/memory/memory-runtime-store.ts";
import type { RuntimeStore } from "../store/runtime-store.ts";
import { openSqliteStore } from "../store/sqlite/open-sqlite-store.ts";
import { describePersistenceAdapter } from "./contract/describe-persistence-adapter.ts";
import type { AgentProfile } from "./persistence-adapter.ts";
import { storePersistence } from "./store-persistence.ts";

function addProfile(store: RuntimeStore, { id, name, ...profile }: AgentProfile): Promise<void> {
  return store.putProfile({ profileId: id, name, profile, updatedAt: 1 });
}

describePersistenceAdapter(
  "a store in memory",
  async () => {
    const store = new MemoryRuntimeStore();
    return {
      adapter: storePersistence(store),
      addProfile: (profile) => addProfile(store, profile),
      reopen: async () => storePersistence(new MemoryRuntimeStore()),
      destroy: async () => {},
    };
  },
  { forgetsBecause: "memory is gone with the process" },
);

describePersistenceAdapter("a store in SQLite", async () => {
  const directory = mkdtempSync(join(tmpdir(), "sandbox-agent-persistence-"));
  const file = join(directory, "runtime.db");
  let store = await openSqliteStore(file);
  return {
    adapter: storePersistence(store),
    addProfile: (profile) => addProfile(store, profile),
    reopen: async () => {
      await store.close();
      store = await openSqliteStore(file);
      return storePersistence(store);
    },
    destroy: async () => {
      await store.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
});

it("sessions that an adapter creates belong to the principal it was given", async () => {
  const store = new MemoryRuntimeStore();
  const session = { type: "mock", agentProfileReference: "p" };
  await storePersistence(store, { owner: "ann" }).createSessionRecord({ sessionId: "s", ...session });
  await storePersistence(store).createSessionRecord({ sessionId: "t", ...session });
  expect(await store.session("s")).toMatchObject({ owner: "ann", agent: "mock", profile: "p" });
  expect(await store.session("t")).toMatchObject({ owner: "application" });
});
