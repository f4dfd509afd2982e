/** Feared: readers that come and go: a thousand of them, dropping at random moments, each of whom must see 1…n, once. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { type Client, ofType } from "../__fixtures__/client.ts";
import { DaemonProcess } from "../__fixtures__/daemon-process.ts";
import { type Random, seededRandom } from "../__fixtures__/seeded-random.ts";
import { temporaryDirectory } from "../__fixtures__/temporary-directory.ts";

const readerCount = 1000;
const longestPauseMs = 400;
/** A reader drops after at most so many events, or so many milliseconds. */
const mostEvents = 150;
const mostMs = 300;
const turns = ["markdown", "slow 20 20", "echo some more words", "slow 10 40", "burst 100 300", "tool", "slow 15 30"];

/** What the first reader saw at each sequence; every other must see the same bytes. */
const seenFirst: string[] = [];

/** Reads from 1 to the end of the session, over as many connections as it takes; answers how many that were. */
async function readAll(client: Client, random: Random): Promise<number> {
  let last = 0;
  let connections = 0;
  for (let isOver = false; !isOver; ) {
    await sleep(random.below(longestPauseMs));
    connections += 1;
    let left = 1 + random.below(mostEvents);
    const reader = await client.follow("s", {
      ...(last === 0 ? {} : { lastEventId: last }),
      onFrame: ({ id, data }) => {
        if (left === 0) return;
        expectNext(id, last, data);
        last = id;
        left -= 1;
        if (data.includes('"type":"session.ended"')) isOver = true;
        else if (left === 0) reader.drop();
      },
    });
    const limit = setTimeout(() => reader.drop(), 1 + random.below(mostMs));
    await reader.closed;
    clearTimeout(limit);
  }
  return connections;
}

function expectNext(id: number, last: number, data: string): void {
  if (id !== last + 1) throw new Error(`event ${id} came after ${last}`);
  seenFirst[id] ??= data;
  if (seenFirst[id] !== data) throw new Error(`event ${id} is not the same for all: ${data}`);
}

test(`${readerCount} readers that drop and resume see every event, once, in order`, { timeout: 120_000 }, async () => {
  const { client } = await DaemonProcess.start({ dataDir: temporaryDirectory() });
  await client.create("s");
  const reading = Promise.all(Array.from({ length: readerCount }, (_, n) => readAll(client, seededRandom(n))));
  for (const message of turns) await client.turn("s", message);
  await client.turn("s", "end");
  const connections = await reading;
  const log = await client.soundLog("s");
  expect(seenFirst.slice(1).map((line) => JSON.parse(line))).toEqual(log);
  expect(ofType(log, "turn.ended")).toHaveLength(turns.length + 1);
  expect(Math.min(...connections)).toBeGreaterThan(1);
});
