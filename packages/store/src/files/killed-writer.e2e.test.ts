import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rawOf, turnsOf } from "../contract/sample-log.ts";
import type { EventStore, StoredSession } from "../event-store.ts";
import { openStore } from "./__fixtures__/session-folder.ts";

const rounds = 8;
const linesPerRound = 200;
let directory: string;
let program: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "sandbox-agent-killed-"));
  program = join(directory, "busy-writer.mjs");
  await build({
    entryPoints: [fileURLToPath(new URL("./__fixtures__/busy-writer.ts", import.meta.url))],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["@sandbox-agent-ts/source"],
  });
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** What a writer acknowledged before it died. */
class Acknowledged {
  readonly heads = new Map<string, number>();
  readonly turns = new Map<string, string[]>();
  readonly created = new Set<string>();
  readonly deleted = new Set<string>();

  add(line: string): void {
    const [what, session = "", value = ""] = line.split(" ");
    if (what === "event") this.heads.set(session, Number(value));
    else if (what === "turn") this.turns.set(session, [...(this.turns.get(session) ?? []), value]);
    else if (what === "created") this.created.add(session);
    else if (what === "deleted") this.deleted.add(session);
  }
}

/** Run the writer and kill it, without a warning, when it has acknowledged so many things. */
async function runAndKill(data: string, round: number, lines: number): Promise<Acknowledged> {
  const writer = spawn(process.execPath, [program, data, String(round)], { stdio: ["ignore", "pipe", "inherit"] });
  const acknowledged = new Acknowledged();
  let count = 0;
  for await (const line of createInterface({ input: writer.stdout })) {
    acknowledged.add(line);
    count += 1;
    if (count === lines) writer.kill("SIGKILL");
  }
  expect(count).toBeGreaterThanOrEqual(lines);
  return acknowledged;
}

/** A session that the writer deletes again, so that it may or may not be there. */
const isPassing = (sessionId: string): boolean => sessionId.startsWith("passing");

async function expectWholeLog(store: EventStore, { record, head }: StoredSession): Promise<void> {
  let cursor = 0;
  let position: number | undefined;
  while (cursor < head) {
    const hint = position === undefined ? {} : { position };
    const page = await store.read(record.sessionId, cursor, { maxBytes: 1_000_000, maxEvents: 10_000, ...hint });
    const raw = await rawOf(store, record.sessionId, cursor, cursor + page.count);
    for (const line of page.lines.toString("utf8").split("\n").slice(0, -1)) {
      const event = JSON.parse(line) as { sequence: number; data: { delta: string } };
      cursor += 1;
      expect(event.sequence).toBe(cursor);
      const payload = raw.get(cursor);
      if (payload !== undefined) expect(JSON.parse(payload)).toEqual({ text: event.data.delta });
    }
    position = page.next;
  }
}

describe("a writer killed at a random moment", () => {
  it(`keeps all it acknowledged and starts again, ${rounds} times`, { timeout: 240_000 }, async () => {
    const data = join(directory, "data");
    const heads = new Map<string, number>();
    const turns = new Map<string, string[]>();
    for (let round = 0; round < rounds; round++) {
      const acknowledged = await runAndKill(data, round, 1 + Math.floor(Math.random() * linesPerRound));
      const { store, sessions, unreadable } = await openStore(data);
      expect(unreadable).toEqual([]);

      for (const id of acknowledged.created) expect(isPassing(id) || sessions.has(id)).toBe(true);
      for (const id of acknowledged.deleted) expect(sessions.has(id)).toBe(false);
      for (const [id, head] of acknowledged.heads) heads.set(id, head);
      for (const [id, ids] of acknowledged.turns) turns.set(id, [...(turns.get(id) ?? []), ...ids]);

      for (const session of sessions.values()) {
        const { sessionId } = session.record;
        if (!isPassing(sessionId)) {
          expect(session.head).toBeGreaterThanOrEqual(heads.get(sessionId) ?? 0);
          const kept = (await turnsOf(store, sessionId)).map(({ turnId }) => turnId);
          expect(kept).toEqual(expect.arrayContaining(turns.get(sessionId) ?? []));
        }
        await expectWholeLog(store, session);
      }
      await store.close();
    }
    expect([...heads.values()].every((head) => head > 0)).toBe(true);
  });
});
