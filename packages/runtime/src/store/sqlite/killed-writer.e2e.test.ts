import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { rawOf, readTexts } from "@sandbox-agent-ts/store/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RuntimeStore } from "../runtime-store.ts";
import { bundle } from "./__fixtures__/bundle.ts";
import { payloadOf } from "./__fixtures__/plain-batch.ts";
import { openSqliteStore } from "./open-sqlite-store.ts";

const rounds = 8;
const linesPerRound = 100;
/** The payloads of how many events are looked at, from the end. */
const recent = 50;
let directory: string;
let program: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "sandbox-agent-killed-"));
  program = await bundle("busy-writer", directory);
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Run the writer and kill it, without a warning, when it has acknowledged so many things. */
async function runAndKill(file: string, round: number, lines: number): Promise<string[][]> {
  const writer = spawn(process.execPath, [program, file, String(round)], { stdio: ["ignore", "pipe", "inherit"] });
  const acknowledged: string[][] = [];
  for await (const line of createInterface({ input: writer.stdout })) {
    acknowledged.push(line.split(" "));
    if (acknowledged.length === lines) writer.kill("SIGKILL");
  }
  expect(acknowledged.length).toBeGreaterThanOrEqual(lines);
  return acknowledged;
}

/** Everything that changes with a batch changed with it, and all of it is readable. */
async function expectWholeLog(store: RuntimeStore, sessionId: string): Promise<number> {
  const { head, summary, snapshot } = (await store.session(sessionId))!;
  const texts = await readTexts(store, sessionId);
  expect(texts).toHaveLength(head);
  expect(texts.every((text, index) => text.startsWith(`${index + 1} `))).toBe(true);
  expect([summary ?? 0, snapshot ?? 0]).toEqual([head, head]);
  // Killed between the making of a session and of its sandbox there is none, and nothing was mirrored.
  expect((await store.sandbox(`sandbox of ${sessionId}`))?.cursor ?? 0).toBe(head);
  const from = Math.max(0, head - recent);
  const payloads = await rawOf(store, sessionId, from, head);
  expect([...payloads.keys()]).toEqual(texts.flatMap((_, n) => (n >= from && n % 2 === 0 ? [n + 1] : [])));
  for (const [sequence, payload] of payloads) expect(payload).toBe(payloadOf(sequence));
  return head;
}

describe("a writer killed at a random moment", () => {
  it(`keeps all it acknowledged and starts again, ${rounds} times`, { timeout: 240_000 }, async () => {
    const file = join(directory, "data", "runtime.db");
    const turns = new Map<string, string[]>();
    for (let round = 0; round < rounds; round++) {
      const acknowledged = await runAndKill(file, round, 1 + Math.floor(Math.random() * linesPerRound));
      const store = await openSqliteStore(file);
      const heads = new Map<string, number>();
      for (const [what, session = "", value = ""] of acknowledged) {
        if (what === "events") heads.set(session, Number(value));
        else if (what === "turn") turns.set(session, [...(turns.get(session) ?? []), value]);
        else if (what === "created" && !session.startsWith("passing"))
          expect(await store.session(session)).toBeDefined();
        else if (what === "deleted") expect(await store.session(session)).toBeUndefined();
      }
      for (const { sessionId } of (await store.sessions({ limit: 1000 })).sessions) {
        expect(await expectWholeLog(store, sessionId)).toBeGreaterThanOrEqual(heads.get(sessionId) ?? 0);
        const kept = (await store.openTurns(sessionId)).map(({ turnId }) => turnId);
        expect(kept).toEqual(expect.arrayContaining(turns.get(sessionId) ?? []));
      }
      await store.close();
    }
  });
});
