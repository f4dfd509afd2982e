import type { PageRequest } from "@sandbox-agent-ts/store";
import { numbered, parsePage, readTexts } from "@sandbox-agent-ts/store/contract";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import type { Lease, RuntimeStore } from "../runtime-store.ts";
import { appendTexts, batchOf, leased } from "./samples.ts";

const all = { maxBytes: 1_000_000, maxEvents: Number.POSITIVE_INFINITY };

export function describePages(store: () => RuntimeStore): void {
  describe("pages", () => {
    let lease: Lease;

    beforeEach(async () => {
      lease = await leased(store(), "s");
    });

    it("begin after the sequence asked for, inside of a batch as well", async () => {
      await appendTexts(store(), lease, numbered(5));
      const page = await store().read("s", 2, all);
      expect(page).toMatchObject({ first: 3, count: 3 });
      expect(parsePage(page)).toEqual([3, 4, 5].map((sequence) => ({ sequence, text: `text ${sequence}` })));
    });

    it("are empty at the end and beyond it", async () => {
      await appendTexts(store(), lease, numbered(5));
      for (const after of [5, 6, 1000]) {
        const page = await store().read("s", after, all);
        expect(page).toMatchObject({ first: after + 1, count: 0 });
        expect(page.lines).toHaveLength(0);
      }
    });

    it("go over the ends of batches", async () => {
      for (let n = 0; n < 50; n++) await appendTexts(store(), lease, numbered(1 + (n % 3), n));
      const { count, lines } = await store().read("s", 0, all);
      expect(count).toBe(lines.toString("utf8").split("\n").length - 1);
      expect(count).toBeGreaterThan(90);
    });

    it("hold no more events than asked for", async () => {
      await appendTexts(store(), lease, numbered(50));
      for (const maxEvents of [1, 2, 7, 50]) {
        const page = await store().read("s", 0, { ...all, maxEvents });
        expect(page.count).toBe(maxEvents);
        expect(parsePage(page)).toHaveLength(maxEvents);
      }
    });

    it("hold whole events, about as many bytes as asked for", async () => {
      const { lines } = await appendTexts(store(), lease, numbered(50));
      const lineBytes = Buffer.byteLength(lines.join("")) / 50;
      const page = await store().read("s", 0, { ...all, maxBytes: Math.round(lineBytes * 10.5) });
      expect(page.count).toBeGreaterThanOrEqual(9);
      expect(page.count).toBeLessThanOrEqual(11);
      expect(parsePage(page)).toHaveLength(page.count);
    });

    it("hold one event at least, however long it is", async () => {
      const long = "ß".repeat(1_000_000);
      await appendTexts(store(), lease, ["a", long, "z"]);
      for (const maxBytes of [1, 64 * 1024]) {
        expect(parsePage(await store().read("s", 1, { ...all, maxBytes }))[0]).toEqual({ sequence: 2, text: long });
        expect(await readTexts(store(), "s", { maxBytes })).toEqual(["a", long, "z"]);
      }
    });

    it.each([1, 10, 1000])("are found anywhere in many events that came in batches of %i", async (size) => {
      const total = Math.min(20_000, size * 300);
      for (let n = 0; n < total; n += size) await store().append(lease, batchOf("s", n + 1, numbered(size, n + 1)));
      for (const after of [0, 1, 99, 100, 299, 999, 1000, 2998, 15_432, 19_990, 19_999].filter((n) => n < total)) {
        const page = await store().read("s", after, { ...all, maxEvents: 3 });
        expect(parsePage(page).map(({ text }) => text)).toEqual(numbered(Math.min(3, total - after), after + 1));
      }
    });

    it("follow each other to the end, with and without a hint", async () => {
      for (let n = 0; n < 5; n++) await appendTexts(store(), lease, numbered(1000, n * 1000 + 1));
      for (const hints of [true, false]) {
        expect(await readTexts(store(), "s", { after: 10, maxBytes: 10_000, hints })).toEqual(numbered(4990, 11));
      }
    });

    it("with a hint go on with what was appended since", async () => {
      await appendTexts(store(), lease, ["a", "b"]);
      const { next } = await store().read("s", 0, all);
      await appendTexts(store(), lease, ["c"]);
      const page = await store().read("s", 2, next === undefined ? all : { ...all, position: next });
      expect(parsePage(page)).toEqual([{ sequence: 3, text: "c" }]);
    });

    it("are what a list of all events says, for any lengths and any request", async () => {
      const length = fc.oneof({ weight: 9, arbitrary: fc.nat(300) }, { weight: 1, arbitrary: fc.nat(300_000) });
      const batch = fc.array(length, { minLength: 1, maxLength: 30 });
      const request = fc.record({
        at: fc.nat(),
        maxBytes: fc.integer({ min: 1, max: 200_000 }),
        maxEvents: fc.integer({ min: 1, max: 40 }),
      });
      await fc.assert(
        fc.asyncProperty(
          fc.array(batch, { maxLength: 6 }),
          fc.array(request, { maxLength: 10 }),
          async (batches, requests) => {
            await store().deleteSession("s");
            const own = await leased(store(), "s");
            const texts: string[] = [];
            for (const lengths of batches) {
              const fresh = lengths.map((count) => "x".repeat(count));
              await appendTexts(store(), own, fresh);
              texts.push(...fresh);
            }
            for (const { at, ...page } of requests) {
              const after = at % (texts.length + 1);
              const found = parsePage(await store().read("s", after, page));
              expect(found.length).toBeGreaterThanOrEqual(Math.min(1, texts.length - after));
              expect(found.length).toBeLessThanOrEqual(page.maxEvents);
              expect(found.map(({ text }) => text)).toEqual(texts.slice(after, after + found.length));
            }
          },
        ),
        { numRuns: 40 },
      );
    });
  });

  describe("very long lines", () => {
    const long = "ä".repeat(1_500_000);
    const request = { maxBytes: 64 * 1024, maxEvents: 100, maxLineBytes: 1024 * 1024 };

    /** Every byte after a sequence, as a reader takes it that lets lines come in parts. */
    async function bytesOf(kind: "read" | "readRaw", after: number): Promise<string> {
      const read = (from: number, page: PageRequest) =>
        kind === "read" ? store().read("s", from, page) : store().readRaw("s", from, page);
      const parts: Buffer[] = [];
      let cursor = after;
      let line: Buffer[] = [];
      let position: number | undefined;
      while (true) {
        const hint = position === undefined ? {} : { position };
        const page = await read(cursor, { ...request, isInside: line.length > 0, ...hint });
        if (page.lines.length === 0) return Buffer.concat(parts).toString("utf8");
        parts.push(page.lines);
        line.push(page.lines);
        position = page.next;
        if (page.count === 0) continue;
        cursor = lastSequence(Buffer.concat(line).toString("utf8"));
        line = [];
      }
    }

    it.each([0, 1, 2])("come in parts or whole, and nothing of them is lost, after %i", async (after) => {
      const lease = await leased(store(), "s");
      const { lines } = await appendTexts(store(), lease, ["a", long, "b", "c"]);
      const more = await appendTexts(store(), lease, [long, "d", "e"]);
      const expected = [...lines, ...more.lines].join("").split("\n").slice(after).join("\n");
      expect((await bytesOf("read", after)) === expected).toBe(true);
    });

    it("of payloads come in parts or whole too", async () => {
      const lease = await leased(store(), "s");
      const raw = `{"sequence":1,"raw":"a"}\n{"sequence":2,"raw":"${long}"}\n{"sequence":4,"raw":"b"}\n`;
      await appendTexts(store(), lease, ["a", "b", "c", "d"], { raw: [raw] });
      await appendTexts(store(), lease, ["e"], { raw: [`{"sequence":5,"raw":"${long}"}\n`] });
      const whole = `${raw}{"sequence":5,"raw":"${long}"}\n`;
      expect((await bytesOf("readRaw", 0)) === whole).toBe(true);
      expect((await bytesOf("readRaw", 1)) === whole.slice(whole.indexOf("\n") + 1)).toBe(true);
    });
  });
}

function lastSequence(lines: string): number {
  const start = lines.lastIndexOf("\n", lines.length - 2) + 1;
  return Number(/"sequence":(\d+),/.exec(lines.slice(start, start + 100))![1]);
}
