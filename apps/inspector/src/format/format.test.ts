import { expect, test } from "vitest";
import { addCosts, describeUsage, formatBytes, formatCost, formatCount, formatCounted } from "./numbers.ts";
import { formatAge, formatDuration } from "./times.ts";

test.each([
  [0, "0"],
  [999, "999"],
  [1_240, "1.2k"],
  [34_400, "34k"],
  [2_000_000, "2M"],
])("%i tokens are %s", (count, text) => {
  expect(formatCount(count)).toBe(text);
});

test("one is one, all others are several", () => {
  expect([0, 1, 1_200].map((count) => formatCounted(count, "event"))).toEqual(["0 events", "1 event", "1.2k events"]);
});

test.each([
  [0, "0 B"],
  [1_500, "1.5 kB"],
  [12_000_000, "12 MB"],
])("%i bytes are %s", (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

test("small costs keep their figures, odd currencies do not throw", () => {
  expect(formatCost({ amount: 0.0123, currency: "USD" })).toBe("$0.0123");
  expect(formatCost({ amount: 0.000005, currency: "USD" })).toBe("<$0.0001");
  expect(formatCost({ amount: 0, currency: "USD" })).toBe("$0.00");
  expect(formatCost({ amount: 12.5, currency: "EUR" })).toBe("€12.50");
  expect(formatCost({ amount: 3, currency: "credits" })).toBe("3.00 credits");
});

test("costs add up per currency, usage names what was told", () => {
  const costs = [
    { amount: 1, currency: "USD" },
    { amount: 2, currency: "USD" },
    { amount: 5, currency: "EUR" },
  ];
  expect(addCosts(costs)).toEqual([
    { amount: 3, currency: "USD" },
    { amount: 5, currency: "EUR" },
  ]);
  expect(describeUsage({ input_tokens: 1_000, output_tokens: 2 })).toBe("input 1,000, output 2 tokens");
});

test.each([
  [12, "12 ms"],
  [4_200, "4.2 s"],
  [42_000, "42 s"],
  [65_000, "1 min 5 s"],
  [7_380_000, "2 h 3 min"],
])("%i ms are %s", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test("ages grow coarser", () => {
  const now = Date.parse("2026-03-10T12:00:00Z");
  const ages = [5_000, 300_000, 3 * 3_600_000, 2 * 86_400_000, 30 * 86_400_000];
  expect(ages.map((age) => formatAge(now - age, now))).toEqual(["now", "5 min", "3 h", "2 d", "Feb 8"]);
});
