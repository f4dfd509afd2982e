// Writes to a store as fast as it can until it is killed, and prints what was acknowledged, one line each:
// "events <session> <head>", "turn <session> <turnId>", "created <session>", "deleted <session>".
import { writeSync } from "node:fs";
import type { Lease } from "../../runtime-store.ts";
import { openSqliteStore } from "../open-sqlite-store.ts";
import { plainBatch } from "./plain-batch.ts";

const [file = "", round = ""] = process.argv.slice(2);
const store = await openSqliteStore(file);
const standard = ["a", "b", "c"];

const acknowledge = (line: string): void => void writeSync(1, `${line}\n`);
const some = (maximum: number): number => 1 + Math.floor(Math.random() * maximum);

async function create(sessionId: string): Promise<void> {
  const createdAt = Date.now();
  await store.createSession({ sessionId, uid: "k3x9", owner: "ann", agent: "mock", createdAt, settings: null });
  await store.putSandbox({
    sandboxId: `sandbox of ${sessionId}`,
    provider: "local",
    providerId: "x",
    template: "default",
    sessionId,
    generation: 1,
    token: "t",
    cursor: 0,
    state: "ready",
    restartCount: 0,
    createdAt,
  });
  acknowledge(`created ${sessionId}`);
}

async function lease(sessionId: string): Promise<Lease> {
  return (await store.claimLease(sessionId, "writer", 60_000))!;
}

async function append(held: Lease): Promise<void> {
  const { sessionId } = held;
  const { head } = (await store.session(sessionId))!;
  const texts = Array.from({ length: some(20) }, (_, index) => {
    return `${head + 1 + index} ${"é".repeat(some(some(20) === 1 ? 100_000 : 100))}`;
  });
  const last = head + texts.length;
  const cursor = { sandboxId: `sandbox of ${sessionId}`, sequence: last };
  await store.append(held, { ...plainBatch(head + 1, texts), cursor, summary: last, snapshot: last });
  acknowledge(`events ${sessionId} ${last}`);
}

async function admit(sessionId: string, turnId: string): Promise<void> {
  const turn = { sessionId, turnId, digest: "", message: turnId, attachments: [], admittedAt: Date.now(), after: 0 };
  await store.admitTurn(turn, Number.MAX_SAFE_INTEGER);
  acknowledge(`turn ${sessionId} ${turnId}`);
}

/** A session comes and goes. */
async function churn(sessionId: string): Promise<void> {
  await create(sessionId);
  await append(await lease(sessionId));
  await store.deleteSession(sessionId);
  await store.deleteSandbox(`sandbox of ${sessionId}`);
  acknowledge(`deleted ${sessionId}`);
}

for (const id of standard) {
  if ((await store.session(id)) === undefined) await create(id);
}
const leases = await Promise.all(standard.map(lease));

for (let go = 0; ; go++) {
  const works = leases.map(append);
  if (go % 5 === 0) works.push(...standard.map((id) => admit(id, `turn-${round}-${go}`)));
  if (go % 7 === 0) works.push(churn(`passing-${round}-${go}`));
  await Promise.all(works);
}
