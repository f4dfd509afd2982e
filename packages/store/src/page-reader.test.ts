/** Feared: readers that hold whole events and payloads, however long these are, and lines that are not what they should be. */
import { expect, it } from "vitest";
import { openLog } from "./__fixtures__/open-log.ts";
import { textDraft } from "./__fixtures__/text-draft.ts";
import { readTexts } from "./contract/sample-log.ts";
import type { EventChunk } from "./event-chunk.ts";
import { SessionFolder, writtenFolder } from "./files/__fixtures__/session-folder.ts";
import { quickDirectory } from "./files/__fixtures__/temporary-directory.ts";
import { FilesStore } from "./files/files-store.ts";
import type { WithPayloads } from "./page-reader.ts";
import type { SessionLog } from "./session-log.ts";

const long = "ß".repeat(3_000_000);
const longRaw = JSON.stringify({ said: "🦀".repeat(1_000_000) });

async function filesLog() {
  const store = new FilesStore(quickDirectory());
  await store.sessions();
  return openLog(store);
}

async function chunksOf(log: SessionLog, raw: WithPayloads): Promise<EventChunk[]> {
  const chunks: EventChunk[] = [];
  for await (const chunk of log.read(0, Number.POSITIVE_INFINITY, raw)) chunks.push(chunk);
  return chunks;
}

const parsed = (chunks: readonly EventChunk[]) =>
  Buffer.concat(chunks.map(({ bytes }) => bytes))
    .toString("utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { sequence: number; data: { delta: string }; raw?: unknown });

/** What records say: each event with its payload, wherever that came. */
function parsedRecords(chunks: readonly EventChunk[]) {
  const bytes = Buffer.concat(chunks.map(({ record }) => record));
  let [lines, counted] = ["", 0];
  const payloads = new Map<number, unknown>();
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf("\n", at);
    const [first, count, ...lengths] = bytes.toString("utf8", at, end).split(" ").map(Number);
    const [lineBytes, payloadBytes] = lengths as [number, number];
    expect(first).toBe(counted + 1);
    at = end + 1 + lineBytes + payloadBytes;
    lines += bytes.toString("latin1", end + 1, end + 1 + lineBytes);
    counted += count!;
    for (const line of bytes
      .toString("utf8", end + 1 + lineBytes, at)
      .split("\n")
      .filter((line) => line.startsWith("{"))) {
      const { sequence, raw } = JSON.parse(line) as { sequence: number; raw: unknown };
      payloads.set(sequence, raw);
    }
  }
  const events = Buffer.from(lines, "latin1").toString("utf8").trim().split("\n");
  return events.map((line) => {
    const event = JSON.parse(line) as ReturnType<typeof parsed>[number];
    return payloads.has(event.sequence) ? { ...event, raw: payloads.get(event.sequence) } : event;
  });
}

const largest = (chunks: readonly EventChunk[]) => Math.max(...chunks.map(({ text }) => text.length));

it("a long event and a long payload come in parts that are bounded, and are whole together", async () => {
  const { store, log } = await filesLog();
  const drafts = [
    textDraft("a", '{"n":1}'),
    textDraft(long, '{"n":2}'),
    textDraft("c", longRaw),
    textDraft(long, longRaw),
    textDraft("e"),
    textDraft("f", '{"n":6}'),
  ];
  for (const draft of drafts) await log.append([draft]);
  for (const raw of [false, true]) {
    const chunks = await chunksOf(log, raw);
    expect(largest(chunks)).toBeLessThanOrEqual(2 * 1024 * 1024);
    const events = parsed(chunks);
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(events.map(({ data }) => data.delta)).toEqual(["a", long, "c", long, "e", "f"]);
    const payloads = [{ n: 1 }, { n: 2 }, JSON.parse(longRaw), JSON.parse(longRaw), undefined, { n: 6 }];
    if (raw) expect(events.map((event) => event.raw)).toEqual(payloads);

    const frames = Buffer.concat(chunks.map((chunk) => chunk.frames)).toString("utf8");
    const lines = frames.trim().split("\n\n");
    expect(lines.map((frame) => /^id: (\d+)\ndata: \{/.exec(frame)?.[1])).toEqual(["1", "2", "3", "4", "5", "6"]);
    expect(lines.map((frame) => JSON.parse(frame.slice(frame.indexOf("data: ") + 6)))).toEqual(events);
    if (raw) expect(parsedRecords(await chunksOf(log, "beside"))).toEqual(events);
  }
  await store.close();
});

it("a live reader gets a long event in parts as well", async () => {
  const { store, log } = await filesLog();
  const end = new AbortController();
  const chunks: EventChunk[] = [];
  const reading = (async () => {
    for await (const chunk of log.follow(0, { signal: end.signal, raw: false })) {
      chunks.push(chunk);
      if (chunk.part?.ends !== false && chunk.last === 3) return;
    }
  })();
  for (const text of ["a", long, "c"]) await log.append([textDraft(text)]);
  await reading;
  expect(largest(chunks)).toBeLessThanOrEqual(1024 * 1024);
  expect(parsed(chunks).map(({ data }) => data.delta)).toEqual(["a", long, "c"]);
  await store.close();
});

it("a page with payloads is bounded by their bytes, too", async () => {
  const { store, log } = await filesLog();
  const payload = JSON.stringify({ said: "x".repeat(50_000) });
  await log.append(Array.from({ length: 100 }, (_, n) => textDraft(`${n}`, n % 10 === 9 ? undefined : payload)));
  const chunks = await chunksOf(log, true);
  expect(largest(chunks)).toBeLessThan(200_000);
  const events = parsed(chunks);
  expect(events.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 100 }, (_, n) => n + 1));
  expect(events.map(({ raw }) => raw === undefined)).toEqual(events.map((_, n) => n % 10 === 9));
  await store.close();
});

it.each<[string, (whole: string) => string, number[]]>([
  ["a lost newline", (whole) => whole.replace('}\n{"event_id":"evt_k3x9_4"', '}{"event_id":"evt_k3x9_4"'), [3, 4]],
  ["a lost quote", (whole) => whole.replace('"text 4"', '"text 4'), [4]],
  ["NULs", (whole) => whole.replace('"text 1"', "\0\0\0\0\0\0\0\0"), [1]],
  ["a wrong number", (whole) => whole.replace('"sequence":7,', '"sequence":3,'), [7]],
  ["two damaged lines", (whole) => whole.replace("evt_k3x9_4", "evt_k3x9").replace("evt_k3x9_5", "xxx"), [4, 5]],
])("%s before the checkpoint makes an error of what is damaged, and nothing else", async (_, damage, lost) => {
  const texts = Array.from({ length: 9 }, (_each, n) => `text ${n + 1}`);
  const folder = await writtenFolder(texts, 9);
  folder.write("events.jsonl", damage(folder.read("events.jsonl").toString()));
  const { store } = await folder.open();
  for (const after of [0, 3, 5]) {
    const found: (string | number)[] = [];
    let cursor = after;
    while (cursor < 9) {
      const page = await store.read("s", cursor, { maxBytes: 1000, maxEvents: 3 });
      for (const line of page.lines.toString("utf8").trim().split("\n")) {
        const event = JSON.parse(line);
        expect(event.sequence).toBe(++cursor);
        found.push(event.type === "error" ? event.sequence : event.data.delta);
      }
    }
    expect(found).toEqual(texts.map((text, n) => (lost.includes(n + 1) ? n + 1 : text)).slice(after));
  }
  await store.close();
});

it("what is whole is read as before", async () => {
  const folder = await writtenFolder(["a", "b"], 2);
  const { store } = await folder.open();
  expect(await readTexts(store, "s")).toEqual(["a", "b"]);
  await store.close();
});

it("payloads stay with their events over many pages, whichever of the two is longer and however few have one", async () => {
  const { log } = await filesLog();
  const drafts = Array.from({ length: 6_000 }, (_, n) => {
    const payload = JSON.stringify({ n: n + 1, more: "y".repeat(n % 2_000 < 1_000 ? 10 : 300) });
    return textDraft("x".repeat(n % 3_000 < 1_500 ? 1 : 200), n % 7 === 0 || n > 5_000 ? undefined : payload);
  });
  await log.append(drafts);
  const events = parsed(await chunksOf(log, true));
  const numbers = events.map(({ sequence }) => sequence);
  expect(numbers).toEqual(drafts.map((_, n) => n + 1));
  const payloads = events.map(({ raw }) => (raw === undefined ? undefined : JSON.stringify(raw)));
  expect(payloads).toEqual(drafts.map(({ raw }) => raw));
  expect(parsedRecords(await chunksOf(log, "beside"))).toEqual(events);
});

it("a damaged payload takes none away but its own, wherever its page ends", async () => {
  const folder = new SessionFolder(quickDirectory());
  const { store } = await folder.open();
  const { log } = await openLog(store);
  const payload = (n: number) => ({ n, more: "y".repeat(n < 200 ? 1_000 : 0) });
  const numbers = Array.from({ length: 1_000 }, (_, n) => n + 1);
  await log.append(numbers.map((n) => textDraft("x".repeat(n % 50), JSON.stringify(payload(n)))));
  const lines = folder.read("raw.jsonl").toString().trim().split("\n");
  for (const lost of numbers.filter((n) => n < 70 || n % 97 === 0)) {
    const damaged = lines.map((line, n) => (n + 1 === lost ? "\0".repeat(line.length) : line));
    folder.write("raw.jsonl", `${damaged.join("\n")}\n`);
    const expected = numbers.map((n) => (n === lost ? undefined : payload(n)));
    expect(parsed(await chunksOf(log, true)).map(({ raw }) => raw)).toEqual(expected);
    expect(parsedRecords(await chunksOf(log, "beside")).map(({ raw }) => raw)).toEqual(expected);
  }
  await store.close();
});
