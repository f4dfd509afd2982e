import { numbered, rawOf, readTexts, sampleRaw } from "@sandbox-agent-ts/store/contract";
import { describe, expect, it } from "vitest";
import type { Lease, LogBatch, RuntimeStore } from "../runtime-store.ts";
import { appendTexts, batchOf, createdAt, headOf, leased, oddValue, sampleSandbox, sampleTurn } from "./samples.ts";

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

export function describeLog(store: () => RuntimeStore): void {
  /** A session with a sandbox whose log is mirrored up to 3, an open turn and an open request. */
  async function busySession(): Promise<Lease> {
    const lease = await leased(store(), "s");
    await store().putSandbox(sampleSandbox("b", { sessionId: "s", generation: 1, cursor: 3 }));
    await store().admitTurn(sampleTurn("s", "t"), 10);
    await appendTexts(store(), lease, ["one", "two"], {
      summary: "before",
      snapshot: "before",
      openedRequests: [{ requestId: "r", kind: "permission" }],
    });
    return lease;
  }

  const everything = (first: number, changes: Partial<LogBatch> = {}) =>
    batchOf("s", first, ["three"], {
      at: createdAt + 5000,
      cursor: { sandboxId: "b", sequence: 7 },
      summary: oddValue,
      snapshot: oddValue,
      endedTurns: ["t"],
      openedRequests: [{ requestId: "q", kind: "question" }],
      resolvedRequests: ["r"],
      ...changes,
    });

  const textOf = (first: number): string => everything(first).lines.join("");

  const look = async () => ({
    session: await store().session("s"),
    turn: await store().turn("s", "t"),
    requests: await store().openRequests("s"),
    sandbox: await store().sandbox("b"),
    texts: await readTexts(store(), "s"),
    raw: await rawOf(store(), "s", 0, 100),
  });

  describe("a batch", () => {
    it("changes everything that it brings", async () => {
      const lease = await busySession();
      await store().append(lease, everything(3));
      const { session, turn, requests, sandbox, texts } = await look();
      expect(session).toMatchObject({ head: 3, lastActivity: createdAt + 5000, summary: oddValue, snapshot: oddValue });
      expect(turn).toMatchObject({ state: "ended" });
      expect(requests).toEqual([{ requestId: "q", kind: "question" }]);
      expect(sandbox).toMatchObject({ cursor: 7 });
      expect(texts).toEqual(["one", "two", "three"]);
    });

    it("leaves as it was what it does not bring", async () => {
      const lease = await busySession();
      const before = await look();
      await store().append(lease, batchOf("s", 3, ["three"]));
      const after = await look();
      expect(after).toMatchObject({ turn: before.turn, requests: before.requests, sandbox: before.sandbox });
      expect(after.session).toMatchObject({ head: 3, summary: "before", snapshot: "before" });
    });

    it("may replace a summary and a snapshot with nothing", async () => {
      const lease = await busySession();
      await store().append(lease, batchOf("s", 3, ["three"], { summary: null, snapshot: null }));
      expect(await store().session("s")).toMatchObject({ summary: null, snapshot: null });
    });

    it("may come in many texts", async () => {
      const lease = await busySession();
      const one = batchOf("s", 3, numbered(40, 3));
      const each = (texts: readonly string[]) => texts.join("").split(/(?<=\n)/);
      await store().append(lease, { ...one, lines: each(one.lines), raw: each(one.raw) });
      const { session, texts, raw } = await look();
      expect(session).toMatchObject({ head: 42 });
      expect(texts.slice(2)).toEqual(numbered(40, 3));
      expect([...raw.keys()].filter((sequence) => sequence > 2)).toEqual(
        Array.from({ length: 20 }, (_, n) => 3 + 2 * n),
      );
    });

    it("may bring no events", async () => {
      const lease = await busySession();
      await store().append(lease, everything(3, { count: 0, lines: [], raw: [] }));
      const { session, turn, sandbox, texts } = await look();
      expect(session).toMatchObject({ head: 2, summary: oddValue });
      expect(turn).toMatchObject({ state: "ended" });
      expect(sandbox).toMatchObject({ cursor: 7 });
      expect(texts).toEqual(["one", "two"]);
      await store().append(lease, batchOf("s", 3, ["three"]));
      expect(await headOf(store(), "s")).toBe(3);
    });

    it("does not make the last activity earlier", async () => {
      const lease = await busySession();
      await store().append(lease, everything(3));
      await store().append(lease, batchOf("s", 4, ["four"], { at: createdAt }));
      expect(await store().session("s")).toMatchObject({ lastActivity: createdAt + 5000 });
    });

    it.each<[string, () => LogBatch]>([
      ["leaves a gap", () => everything(4)],
      ["repeats the last event", () => everything(2)],
      ["starts again", () => everything(1)],
      ["begins with no sequence", () => everything(0)],
      ["has no events and a gap", () => everything(4, { count: 0, lines: [], raw: [] })],
      ["has fewer events than it says", () => everything(3, { count: 2 })],
      ["has more events than it says", () => everything(3, { count: 0 })],
      ["ends inside of an event", () => everything(3, { lines: [textOf(3).slice(0, -1)] })],
      ["has an event in two texts", () => everything(3, { lines: [textOf(3).slice(0, 20), textOf(3).slice(20)] })],
      ["moves the cursor backwards", () => everything(3, { cursor: { sandboxId: "b", sequence: 2 } })],
      ["mirrors what is mirrored already", () => everything(3, { cursor: { sandboxId: "b", sequence: 3 } })],
      ["is of an unknown sandbox", () => everything(3, { cursor: { sandboxId: "no", sequence: 7 } })],
    ])("that %s is refused whole", async (_, batch) => {
      const lease = await busySession();
      const before = await look();
      await expect(store().append(lease, batch())).rejects.toMatchObject({
        name: "SandboxError",
        code: "internal_error",
      });
      expect(await look()).toEqual(before);
      await store().append(lease, everything(3));
      expect(await readTexts(store(), "s")).toEqual(["one", "two", "three"]);
    });

    it("that is handed over twice at once is kept once", async () => {
      const lease = await busySession();
      const results = await Promise.allSettled([1, 2, 3].map(() => store().append(lease, everything(3))));
      expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      expect(await readTexts(store(), "s")).toEqual(["one", "two", "three"]);
    });

    it("passes over turns and requests that are unknown or settled", async () => {
      const lease = await busySession();
      await store().admitTurn(sampleTurn("s", "w"), 10);
      await store().withdrawTurn("s", "w");
      await store().append(lease, everything(3, { endedTurns: ["t", "w", "no"], resolvedRequests: ["r", "no"] }));
      await store().append(
        lease,
        everything(4, { cursor: undefined, openedRequests: [{ requestId: "r", kind: "permission" }] }),
      );
      expect(await store().turn("s", "w")).toMatchObject({ state: "withdrawn" });
      expect(await store().openRequests("s")).toEqual([{ requestId: "q", kind: "question" }]);
    });

    it("is seen whole or not at all, by those who look meanwhile", async () => {
      const lease = await busySession();
      const written = store().append(lease, everything(3));
      const [session, page, turn] = await Promise.all([
        store().session("s"),
        store().read("s", 0, { maxBytes: 10_000, maxEvents: 10 }),
        store().turn("s", "t"),
      ]);
      await written;
      const isThere = session!.head === 3;
      expect(session!.summary).toEqual(isThere ? oddValue : "before");
      if (isThere) expect({ count: page.count, state: turn!.state }).toEqual({ count: 3, state: "ended" });
    });
  });

  describe("events", () => {
    it("come back byte by byte", async () => {
      const { lines } = await appendTexts(store(), await leased(store(), "s"), awkwardTexts);
      const page = await store().read("s", 0, { maxBytes: 100_000, maxEvents: 100 });
      expect(page).toMatchObject({ first: 1, count: awkwardTexts.length });
      expect(page.lines.toString("utf8")).toBe(lines.join(""));
    });

    it("of different sessions do not mix, however they are interleaved", async () => {
      const leases = await Promise.all(Array.from({ length: 20 }, (_, n) => leased(store(), `s${n}`)));
      for (let round = 0; round < 10; round++) {
        await Promise.all(leases.map((lease) => appendTexts(store(), lease, [`${lease.sessionId} ${round}`, "b"])));
      }
      for (const { sessionId } of leases) {
        const expected = Array.from({ length: 10 }, (_, round) => [`${sessionId} ${round}`, "b"]).flat();
        expect(await readTexts(store(), sessionId)).toEqual(expected);
      }
    });
  });

  describe("raw payloads", () => {
    it("are found by range, without those of events that have none", async () => {
      const lease = await leased(store(), "s");
      await appendTexts(store(), lease, numbered(4));
      await appendTexts(store(), lease, numbered(6));
      expect(await rawOf(store(), "s", 2, 7)).toEqual(new Map([3, 5, 7].map((n) => [n, sampleRaw(n)])));
      expect(await rawOf(store(), "s", 3, 4)).toEqual(new Map());
      expect([...(await rawOf(store(), "s", 0, 1000)).keys()]).toEqual([1, 3, 5, 7, 9]);
      expect(await rawOf(store(), "s", 10, 20)).toEqual(new Map());
    });

    it("are found in many thousands, and where most events have none", async () => {
      const lease = await leased(store(), "s");
      for (let n = 0; n < 5; n++) await appendTexts(store(), lease, numbered(1000));
      for (let n = 0; n < 5; n++) await appendTexts(store(), lease, numbered(1000), { raw: [] });
      await appendTexts(store(), lease, ["last"]);
      const odd = (from: number, count: number) => Array.from({ length: count }, (_, n) => from + 2 * n);
      expect([...(await rawOf(store(), "s", 2999, 3009)).keys()]).toEqual(odd(3001, 5));
      expect([...(await rawOf(store(), "s", 4990, 20_000)).keys()]).toEqual([...odd(4991, 5), 10_001]);
      expect([...(await rawOf(store(), "s", 7000, 20_000)).keys()]).toEqual([10_001]);
    });

    it("say when none follows", async () => {
      await appendTexts(store(), await leased(store(), "s"), numbered(10));
      const page = { maxBytes: 100_000, maxEvents: 100 };
      expect(await store().readRaw("s", 0, { ...page, maxEvents: 2 })).toMatchObject({ count: 2, isEnd: false });
      expect(await store().readRaw("s", 0, page)).toMatchObject({ count: 5, isEnd: true });
      expect(await store().readRaw("s", 10, page)).toMatchObject({ count: 0, isEnd: true });
    });
  });
}
