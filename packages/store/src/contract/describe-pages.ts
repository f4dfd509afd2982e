import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import type { EventStore } from "../event-store.ts";
import { appendTexts, numbered, parsePage, readTexts, sampleRecord } from "./sample-log.ts";

const all = { maxBytes: 1_000_000, maxEvents: Number.POSITIVE_INFINITY };

export function describePages(store: () => EventStore): void {
  describe("pages", () => {
    beforeEach(() => store().create(sampleRecord("s")));

    it("begin after the sequence asked for", async () => {
      await appendTexts(store(), "s", numbered(5));
      const page = await store().read("s", 2, all);
      expect(page).toMatchObject({ first: 3, count: 3 });
      expect(parsePage(page)).toEqual([3, 4, 5].map((sequence) => ({ sequence, text: `text ${sequence}` })));
    });

    it("are empty at the end and beyond it", async () => {
      await appendTexts(store(), "s", numbered(5));
      for (const after of [5, 6, 1000]) {
        const page = await store().read("s", after, all);
        expect(page).toMatchObject({ first: after + 1, count: 0 });
        expect(page.lines).toHaveLength(0);
      }
    });

    it("hold no more events than asked for", async () => {
      await appendTexts(store(), "s", numbered(50));
      for (const maxEvents of [1, 2, 7, 50]) {
        const page = await store().read("s", 0, { ...all, maxEvents });
        expect(page.count).toBe(maxEvents);
        expect(parsePage(page)).toHaveLength(maxEvents);
      }
    });

    it("hold whole events, about as many bytes as asked for", async () => {
      const { lines } = await appendTexts(store(), "s", numbered(50));
      const lineBytes = Buffer.byteLength(lines) / 50;
      const page = await store().read("s", 0, { ...all, maxBytes: Math.round(lineBytes * 10.5) });
      expect(page.count).toBeGreaterThanOrEqual(9);
      expect(page.count).toBeLessThanOrEqual(11);
      expect(parsePage(page)).toHaveLength(page.count);
    });

    it("hold one event at least, however long it is", async () => {
      const long = "ß".repeat(1_000_000);
      await appendTexts(store(), "s", ["a", long, "z"]);
      for (const maxBytes of [1, 64 * 1024]) {
        expect(parsePage(await store().read("s", 1, { ...all, maxBytes }))[0]).toEqual({ sequence: 2, text: long });
        expect(await readTexts(store(), "s", { maxBytes })).toEqual(["a", long, "z"]);
      }
    });

    it("are found at the start, in the middle and at the end of many thousand events", async () => {
      for (let n = 0; n < 20; n++) await appendTexts(store(), "s", numbered(1000, n * 1000 + 1));
      for (const after of [0, 1, 999, 1000, 9_999, 10_000, 15_432, 19_990, 19_999]) {
        const page = await store().read("s", after, { ...all, maxEvents: 3 });
        expect(parsePage(page).map(({ text }) => text)).toEqual(numbered(Math.min(3, 20_000 - after), after + 1));
      }
    });

    it("follow each other to the end, with and without a hint", async () => {
      for (let n = 0; n < 5; n++) await appendTexts(store(), "s", numbered(1000, n * 1000 + 1));
      for (const hints of [true, false]) {
        expect(await readTexts(store(), "s", { after: 10, maxBytes: 10_000, hints })).toEqual(numbered(4990, 11));
      }
    });

    it("with a hint go on with what was appended since", async () => {
      await appendTexts(store(), "s", ["a", "b"]);
      const { next } = await store().read("s", 0, all);
      await appendTexts(store(), "s", ["c"]);
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
            await store().delete("s");
            await store().create(sampleRecord("s"));
            const texts: string[] = [];
            for (const lengths of batches) {
              const fresh = lengths.map((count) => "x".repeat(count));
              await appendTexts(store(), "s", fresh);
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
}
