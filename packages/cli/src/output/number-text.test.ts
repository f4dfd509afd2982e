import { expect, it } from "vitest";
import { byteText, costText, countOf, countText, durationText, usageText } from "./number-text.ts";

it.each([
  [0, "0 B"],
  [999, "999 B"],
  [1_536, "1.5 kB"],
  [25_000_000, "25 MB"],
  [1_100_000_000, "1.1 GB"],
])("%i bytes are %s", (bytes, text) => {
  expect(byteText(bytes)).toBe(text);
});

it.each([
  [950, "950"],
  [1_250, "1.3k"],
  [12_345, "12k"],
  [2_000_000, "2.0M"],
])("%i is %s", (count, text) => {
  expect(countText(count)).toBe(text);
});

it.each([
  [850, "850 ms"],
  [12_400, "12 s"],
  [185_000, "3 min 5 s"],
  [7_440_000, "2 h 4 min"],
])("%i ms are %s", (ms, text) => {
  expect(durationText(ms)).toBe(text);
});

it("counts, tokens and costs", () => {
  expect([countOf(1, "file"), countOf(2, "file")]).toEqual(["1 file", "2 files"]);
  expect(usageText({ input_tokens: 1, output_tokens: 1 })).toBe("1 token in, 1 out");
  expect(usageText({ input_tokens: 1_200, output_tokens: 300 })).toBe("1.2k tokens in, 300 out");
  expect(costText({ amount: 0.01234, currency: "USD" })).toBe("$0.0123");
  expect(costText({ amount: 2, currency: "credits" })).toBe("2.00 credits");
});
