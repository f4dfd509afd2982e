import { describe, expect, it } from "vitest";
import type { EventStore } from "../event-store.ts";
import { appendTexts, numbered, rawOf, readTexts, sampleBatch, sampleRaw, sampleRecord } from "./sample-log.ts";

const awkwardTexts = [
  "",
  "line\nbreak\r\n",
  "\u2028 \u2029",
  "\u0000 \u001f \u007f",
  'quote " and \\ backslash',
  "日本語 🦀 e\u0301",
  "\ud800 alone",
  '"sequence":99,',
  "data: x\n\nid: 7\n",
];

export function describeEvents(store: () => EventStore): void {
  describe("events", () => {
    it("count up the head", async () => {
      await store().create(sampleRecord("s"));
      await appendTexts(store(), "s", numbered(3));
      expect(store().head("s")).toBe(3);
      await appendTexts(store(), "s", numbered(1));
      expect(store().head("s")).toBe(4);
    });

    it.each([
      ["leaves a gap", 4],
      ["repeats the last", 2],
      ["starts again", 1],
      ["is no sequence", 0],
    ])("are refused when their number %s, and nothing is kept", async (_, first) => {
      await store().create(sampleRecord("s"));
      await appendTexts(store(), "s", ["one", "two"]);
      const refused = (async () => store().append("s", sampleBatch("s", first, ["wrong", "wrong"])))();
      await expect(refused).rejects.toMatchObject({ name: "SandboxError", code: "internal_error" });

      expect(store().head("s")).toBe(2);
      expect([...(await rawOf(store(), "s", 0, 10)).keys()]).toEqual([1]);
      await appendTexts(store(), "s", ["three"]);
      expect(await readTexts(store(), "s")).toEqual(["one", "two", "three"]);
    });

    it("come back byte by byte", async () => {
      await store().create(sampleRecord("s"));
      const { lines } = await appendTexts(store(), "s", awkwardTexts);
      const page = await store().read("s", 0, { maxBytes: 100_000, maxEvents: 100 });
      expect(page).toMatchObject({ first: 1, count: awkwardTexts.length });
      expect(page.lines.toString("utf8")).toBe(lines);
    });

    it("of different sessions do not mix, however they are interleaved", async () => {
      const ids = Array.from({ length: 20 }, (_, n) => `s${n}`);
      await Promise.all(ids.map((id) => store().create(sampleRecord(id))));
      for (let round = 0; round < 10; round++) {
        await Promise.all(ids.map((id) => appendTexts(store(), id, [`${id} ${round} a`, `${id} ${round} b`])));
      }
      for (const id of ids) {
        const expected = Array.from({ length: 10 }, (_, round) => [`${id} ${round} a`, `${id} ${round} b`]).flat();
        expect(await readTexts(store(), id)).toEqual(expected);
      }
    });
  });

  describe("raw payloads", () => {
    it("are found by range, without those of events that have none", async () => {
      await store().create(sampleRecord("s"));
      await appendTexts(store(), "s", numbered(10));
      expect(await rawOf(store(), "s", 2, 7)).toEqual(new Map([3, 5, 7].map((n) => [n, sampleRaw(n)])));
      expect(await rawOf(store(), "s", 3, 4)).toEqual(new Map());
      expect([...(await rawOf(store(), "s", 0, 1000)).keys()]).toEqual([1, 3, 5, 7, 9]);
      expect(await rawOf(store(), "s", 10, 20)).toEqual(new Map());
    });

    it("are found in many thousands", async () => {
      await store().create(sampleRecord("s"));
      for (let n = 0; n < 10; n++) await appendTexts(store(), "s", numbered(1000));
      for (const after of [0, 4999, 9000, 9990]) {
        const found = await rawOf(store(), "s", after, after + 10);
        expect([...found]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].flatMap((step) => oddEntry(after + step)));
      }
    });
  });
}

const oddEntry = (sequence: number): [number, string][] =>
  sequence % 2 === 1 ? [[sequence, sampleRaw(sequence)]] : [];
