/** Feared: a reader that stops reading: the daemon keeps for it what it does not take, delays others, or drops events. */
import { createHash, type Hash } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import type { Client } from "../__fixtures__/client.ts";
import { DaemonProcess } from "../__fixtures__/daemon-process.ts";
import type { SseFrame, SseReader } from "../__fixtures__/sse-reader.ts";
import { temporaryDirectory } from "../__fixtures__/temporary-directory.ts";

/** Together about 1.1 MB of events. */
const flood = "flood 500 1000";
const warmUpTurns = 20;
const floodTurns = 100;
const stalledCount = 3;
const sampleMs = 25;

class Tally {
  readonly #hash: Hash = createHash("sha256");
  #onTurnEnded: (() => void) | undefined;
  events = 0;
  bytes = 0;
  turns = 0;

  readonly take = ({ id, data }: SseFrame): void => {
    this.events += 1;
    if (id !== this.events) throw new Error(`event ${id} came as number ${this.events}`);
    this.bytes += data.length;
    this.#hash.update(data);
    if (!data.includes('"type":"turn.ended"')) return;
    this.turns += 1;
    this.#onTurnEnded?.();
  };

  async untilTurns(count: number): Promise<void> {
    while (this.turns < count) {
      await new Promise<void>((resolve) => {
        this.#onTurnEnded = resolve;
      });
    }
  }

  digest(): string {
    return this.#hash.copy().digest("hex");
  }
}

async function openReader(client: Client, paused: boolean): Promise<{ reader: SseReader; tally: Tally }> {
  const tally = new Tally();
  return { tally, reader: await client.follow("s", { onFrame: tally.take, paused }) };
}

/** The most memory the daemon was seen to use from now on. */
function watchMemory(daemon: DaemonProcess): { most: number } {
  const seen = { most: daemon.memory };
  const timer = setInterval(() => {
    seen.most = Math.max(seen.most, daemon.memory);
  }, sampleMs);
  onTestFinished(() => clearInterval(timer));
  return seen;
}

test("readers that never read cost nothing, delay nobody, and get everything in the end", {
  timeout: 60_000,
}, async () => {
  const daemon = await DaemonProcess.start({ dataDir: temporaryDirectory() });
  const { client } = daemon;
  await client.create("s", { agent: "fake" });
  const keen = await openReader(client, false);
  const warmUp = watchMemory(daemon);
  for (let n = 0; n < warmUpTurns; n++) await client.message("s", flood);
  await keen.tally.untilTurns(warmUpTurns);
  const before = warmUp.most;
  const readBefore = keen.tally.bytes;

  const stalled = await Promise.all(Array.from({ length: stalledCount }, () => openReader(client, true)));
  const meanwhile = watchMemory(daemon);
  for (let n = 0; n < floodTurns; n++) await client.message("s", flood);
  await keen.tally.untilTurns(warmUpTurns + floodTurns);
  const unread = keen.tally.bytes - readBefore;
  expect(stalled.map(({ tally }) => tally.events)).toEqual(new Array(stalledCount).fill(0));
  // Also if the three shared it, keeping what is unread would show.
  expect(meanwhile.most - before).toBeLessThan((unread * 2) / 3);

  await client.call("POST", "/v1/sessions/s/terminate");
  expect(await keen.reader.closed).toBe("ended");
  expect(keen.tally.events).toBe((await client.info("s")).eventCount);
  for (const { reader } of stalled) reader.resume();
  for (const { reader, tally } of stalled) {
    expect(await reader.closed).toBe("ended");
    expect(tally.events).toBe(keen.tally.events);
    expect(tally.digest()).toBe(keen.tally.digest());
  }
});
