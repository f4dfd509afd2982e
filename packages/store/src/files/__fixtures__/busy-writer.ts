// Writes to a store as fast as it can until it is killed, and prints what was acknowledged, one line each:
// "event <session> <sequence>", "turn <session> <turnId>", "created <session>", "deleted <session>".
import { writeSync } from "node:fs";
import { textDraft } from "../../__fixtures__/text-draft.ts";
import { EventLog } from "../../event-log.ts";
import type { SessionLog } from "../../session-log.ts";
import { FilesStore } from "../files-store.ts";

const [directory = "", round = ""] = process.argv.slice(2);
const store = new FilesStore(directory);
const events = new EventLog(store);
const kept = await store.sessions();
const standard = ["a", "b", "C/c"];

const acknowledge = (line: string): void => void writeSync(1, `${line}\n`);
const some = (maximum: number): number => 1 + Math.floor(Math.random() * maximum);

async function create(sessionId: string): Promise<SessionLog> {
  const record = { sessionId, uid: "k3x9", createdAt: Date.now(), config: null };
  await store.create(record);
  acknowledge(`created ${sessionId}`);
  return events.open(record, null);
}

async function append(log: SessionLog): Promise<void> {
  const drafts = Array.from({ length: some(20) }, () => {
    const text = "é".repeat(some(some(20) === 1 ? 20_000 : 100));
    return textDraft(text, JSON.stringify({ text }));
  });
  await log.append(drafts);
  acknowledge(`event ${log.sessionId} ${log.head}`);
}

async function admit(sessionId: string, turnId: string): Promise<void> {
  await store.appendTurn(sessionId, { turnId, message: turnId, attachments: [], after: 0, admittedAt: Date.now() });
  acknowledge(`turn ${sessionId} ${turnId}`);
}

/** A session comes and goes. */
async function churn(sessionId: string): Promise<void> {
  await append(await create(sessionId));
  events.forget(sessionId);
  await store.delete(sessionId);
  acknowledge(`deleted ${sessionId}`);
}

for (const { record } of kept) events.open(record, null);
for (const id of standard) if (!kept.some(({ record }) => record.sessionId === id)) await create(id);

for (let go = 0; ; go++) {
  const works = standard.map((id) => append(events.get(id)));
  if (go % 5 === 0) works.push(...standard.map((id) => admit(id, `turn-${round}-${go}`)));
  if (go % 7 === 0) works.push(churn(`passing-${round}-${go}`));
  await Promise.all(works);
  if (go % 11 === 0) for (const id of standard) store.checkpoint(id, { head: events.get(id).head });
}
