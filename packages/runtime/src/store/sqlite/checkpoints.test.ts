/** Feared: a WAL that grows for ever, or a store that its own thread keeps open. */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { openSqliteStore } from "./open-sqlite-store.ts";

test("what is written gets into the database while the store is open, and is there after the next start", async () => {
  const directory = mkdtempSync(join(tmpdir(), "sandbox-agent-sqlite-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, "runtime.db");
  const store = await openSqliteStore(file);
  const content = "x".repeat(1024 * 1024);
  const session = { sessionId: "s", uid: "u", owner: "ann", agent: "mock", createdAt: 1, settings: {} };
  await store.createSession(session);
  for (let n = 0; n < 6; n++) await store.putFile("s", { path: `${n}`, content, modifiedAt: 1 });
  await vi.waitFor(() => expect(statSync(file).size).toBeGreaterThan(4 * content.length), { timeout: 30_000 });
  await store.close();
  const reopened = await openSqliteStore(file);
  expect((await reopened.files("s")).map((kept) => kept.content === content)).toEqual(Array(6).fill(true));
  await reopened.close();
}, 60_000);
