import { expect, test } from "vitest";
import { costOf } from "./cost-of.ts";

test.each([
  [0.0004 + 0.0008, 0.0012],
  [0.1 + 0.2, 0.3],
  [1234.5678 - 1234.5666, 0.0012],
  [3 * 4e-6, 0.000012],
  [2e-9, 2e-9],
  [12, 12],
])("%d is told as %d, without the tail that sums of fractions have", (sum, amount) => {
  expect(costOf(sum)).toEqual({ amount, currency: "USD" });
});

test("money that the agent took back is none, and its currency is kept", () => {
  expect(costOf(-1, "EUR")).toEqual({ amount: 0, currency: "EUR" });
});
