/** Feared: two runtimes on one store together let in more than a principal may have. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startTestRuntime } from "../__fixtures__/test-runtime.ts";
import { openSqliteStore } from "../store/sqlite/open-sqlite-store.ts";

async function twoRuntimes(quota: object) {
  const directory = mkdtempSync(join(tmpdir(), "quotas-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, "runtime.db");
  const quotas = { principals: { ann: quota } };
  const first = await startTestRuntime({ store: await openSqliteStore(file), quotas });
  const second = await first.again({ store: await openSqliteStore(file, { isGuest: true }) });
  return { runtimes: [first, second], clients: [await first.clientOf("ann"), await second.clientOf("ann")] };
}

const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);

test("of 50 sessions at once, in two runtimes on one store, as many are made as may be", {
  timeout: 180_000,
}, async () => {
  const { clients } = await twoRuntimes({ sessions: 10 });
  const made = await Promise.allSettled(
    numbers(50).map((number) => clients[number % 2]!.createSession(`s${number}`, { agent: "mock" })),
  );
  const refused = made.flatMap((result) => (result.status === "rejected" ? [result.reason as { status: number }] : []));
  expect(refused).toHaveLength(40);
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([403]));
  expect((await clients[0]!.listSessions({ limit: 50 })).sessions).toHaveLength(10);
});

test("of six sessions that need a sandbox at once, in two runtimes, two get one", { timeout: 180_000 }, async () => {
  const { clients, runtimes } = await twoRuntimes({ sandboxes: 2 });
  const ids = numbers(6).map((number) => `s${number}`);
  for (const [number, id] of ids.entries()) await clients[number % 2]!.createSession(id, { agent: "mock" });
  const sent = await Promise.allSettled(ids.map((id, number) => clients[number % 2]!.session(id).run("echo hello")));
  const answered = sent.filter((result) => result.status === "fulfilled" && result.value.text === "hello");
  expect(answered).toHaveLength(2);
  expect(await runtimes[0]!.sandboxes()).toHaveLength(2);
});
