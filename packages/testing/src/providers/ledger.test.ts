import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { Ledger } from "./ledger.ts";

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000 });
  onTestFinished(() => void vi.useRealTimers());
});

it("bills what runs, and not what is suspended", () => {
  const ledger = new Ledger();
  ledger.created("a", { owner: "me" });
  expect(ledger.running).toEqual([{ id: "a", labels: { owner: "me" }, createdAt: 1_000, billed: [{ from: 1_000 }] }]);
  vi.setSystemTime(2_000);
  ledger.suspended("a");
  ledger.suspended("a");
  expect([ledger.running, ledger.alive.length]).toEqual([[], 1]);
  vi.setSystemTime(3_000);
  ledger.resumed("a");
  ledger.resumed("a");
  vi.setSystemTime(4_000);
  ledger.ended("a", "request");
  expect(ledger.entries).toMatchObject([
    {
      billed: [
        { from: 1_000, to: 2_000 },
        { from: 3_000, to: 4_000 },
      ],
      endedAt: 4_000,
      endedBy: "request",
    },
  ]);
});

it("keeps the first end, and bills nothing after it", () => {
  const ledger = new Ledger();
  ledger.created("a");
  ledger.ended("a", "deadline");
  vi.setSystemTime(2_000);
  ledger.ended("a", "request");
  ledger.resumed("a");
  expect(ledger.entries).toMatchObject([{ endedAt: 1_000, endedBy: "deadline" }]);
  expect([ledger.alive, ledger.running]).toEqual([[], []]);
});

it("refuses what cannot be", () => {
  const ledger = new Ledger();
  ledger.created("a");
  expect(() => ledger.created("a")).toThrow("a was made twice.");
  expect(() => ledger.ended("b", "fault")).toThrow("b was never made.");
});
