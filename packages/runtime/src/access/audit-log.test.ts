import { createLogger } from "@sandbox-agent-ts/server";
import { expect, it, vi } from "vitest";
import { MemoryRuntimeStore } from "../store/memory/memory-runtime-store.ts";
import { AuditLog } from "./audit-log.ts";

const day = 24 * 60 * 60_000;
const entry = (operation: string, at: number) => {
  return { at, principal: "ann", byToken: false, action: "session:write", operation, status: 200 };
};

it.each([
  [undefined, ["89 days ago", "today"]],
  [{ retentionDays: 1 }, ["today"]],
])("with the options %j it keeps %j", async (options, kept) => {
  const store = new MemoryRuntimeStore();
  const now = Date.now();
  await store.appendAudit([entry("91 days ago", now - 91 * day), entry("89 days ago", now - 89 * day)]);
  const audit = new AuditLog(store, createLogger("silent"), options);
  audit.record(entry("today", now));
  await audit.settled();
  await vi.waitFor(async () => {
    const entries = await store.audit({ limit: 10 });
    expect(entries.map(({ operation }) => operation).reverse()).toEqual(kept);
  });
  await audit.close();
});
