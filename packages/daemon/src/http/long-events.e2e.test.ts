/** Feared: readers of very long events or payloads that make the daemon hold them, and a start that reads them all at once. */
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { DaemonProcess } from "../__fixtures__/daemon-process.ts";
import { temporaryDirectory } from "../__fixtures__/temporary-directory.ts";

const megabyte = 1_000_000;
const limits = { timeout: 120_000 };
const heap = { NODE_OPTIONS: "--max-old-space-size=256" };
const sampleMs = 25;

/** A daemon's directory with one session, and how many events that has. */
async function written() {
  const dataDir = temporaryDirectory();
  const daemon = await DaemonProcess.start({ dataDir });
  await daemon.client.create("s");
  await daemon.client.turn("s", "hello");
  const { eventCount } = await daemon.client.info("s");
  await daemon.stop();
  return { dataDir, eventCount, inside: (name: string) => join(dataDir, "sessions", "s", name) };
}

function append(path: string, pieces: Iterable<string>): void {
  const file = openSync(path, "a");
  for (const piece of pieces) writeSync(file, piece);
  closeSync(file);
}

function eventLine(sequence: number, message: string): string {
  const about = { time: new Date(0).toISOString(), session_id: "s", native_session_id: null };
  const event = { event_id: `evt_x_${sequence}`, sequence, ...about, source: "daemon", synthetic: true };
  return `${JSON.stringify({ ...event, type: "error", data: { message } })}\n`;
}

function watchMemory(daemon: DaemonProcess): { most: number } {
  const seen = { most: daemon.memory };
  const timer = setInterval(() => {
    seen.most = Math.max(seen.most, daemon.memory);
  }, sampleMs);
  onTestFinished(() => clearInterval(timer));
  return seen;
}

test(
  "an event of 50 MB and payloads of 150 MB are streamed, however many readers stop before them",
  limits,
  async () => {
    const { dataDir, eventCount, inside } = await written();
    const numbers = Array.from({ length: 200 }, (_, n) => eventCount + 2 + n);
    append(inside("events.jsonl"), [eventLine(eventCount + 1, "x".repeat(50 * megabyte))]);
    append(
      inside("events.jsonl"),
      numbers.map((sequence) => eventLine(sequence, "short")),
    );
    const payload = JSON.stringify({ said: "y".repeat(0.75 * megabyte) });
    append(
      inside("raw.jsonl"),
      numbers.map((sequence) => `{"sequence":${sequence},"raw":${payload}}\n`),
    );

    const daemon = await DaemonProcess.start({ dataDir, env: heap });
    expect(await daemon.client.info("s")).toMatchObject({ eventCount: numbers.at(-1), status: "idle" });
    const before = daemon.memory;
    const seen = watchMemory(daemon);
    const stalled = await Promise.all(Array.from({ length: 10 }, () => daemon.client.follow("s", { paused: true })));
    let bytes = 0;
    const ids: number[] = [];
    const keen = await daemon.client.follow("s", {
      query: "?includeRaw=true",
      onFrame: ({ id, data }) => {
        bytes += data.length;
        ids.push(id);
        if (id === numbers.at(-1)) keen.drop();
      },
    });
    await keen.closed;
    expect(ids).toEqual(Array.from({ length: numbers.at(-1)! }, (_, n) => n + 1));
    expect(bytes).toBeGreaterThan(200 * megabyte);
    // Twice the event for each reader would be a gigabyte.
    expect(seen.most - before).toBeLessThan(200 * megabyte);
    for (const reader of stalled) reader.drop();
  },
);

test.each([
  [
    "160 MB without a newline",
    function* () {
      for (let n = 0; n < 160; n++) yield "x".repeat(megabyte);
    },
  ],
  [
    "300 MB of NULs",
    function* () {
      for (let n = 0; n < 300; n++) yield "\0".repeat(megabyte);
    },
  ],
])("%s behind the log are cut off at the next start, and others are answered meanwhile", limits, async (_, tail) => {
  const { dataDir, eventCount, inside } = await written();
  append(inside("events.jsonl"), tail());
  const daemon = await DaemonProcess.start({ dataDir, env: heap });
  const [health, info] = await Promise.all([daemon.client.call("GET", "/v1/health"), daemon.client.info("s")]);
  expect(health.status).toBe(200);
  expect(info).toMatchObject({ eventCount, status: "idle" });
  expect(info).not.toHaveProperty("problem");
});
