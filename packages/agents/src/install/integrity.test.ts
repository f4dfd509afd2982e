import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { formatIntegrity, hasherOf, matches, parseIntegrity } from "./integrity.ts";

const digest = (algorithm: string, encoding: "base64" | "hex" = "base64") =>
  createHash(algorithm).update("bytes").digest(encoding);

function accepts(dist: { integrity?: string; shasum?: string }, bytes: string): boolean | undefined {
  const integrity = parseIntegrity(dist);
  return integrity && matches(integrity, hasherOf(integrity).update(bytes));
}

test.each([
  ["sha512", { integrity: `sha512-${digest("sha512")}` }],
  ["one of several", { integrity: `sha512-${"A".repeat(86)}== sha512-${digest("sha512")}` }],
  ["sha256 with options", { integrity: `sha256-${digest("sha256")}?foo` }],
  ["sha1 of old packages", { shasum: digest("sha1", "hex") }],
  ["kinds nobody knows beside one we know", { integrity: `blake3-AAAA sha384-${digest("sha384")}` }],
])("%s", (_what, dist) => {
  expect(accepts(dist, "bytes")).toBe(true);
  expect(accepts(dist, "other bytes")).toBe(false);
  expect(parseIntegrity({ integrity: formatIntegrity(parseIntegrity(dist)!) })).toEqual(parseIntegrity(dist));
});

test("the strongest kind alone counts: a weaker one that fits is no help", () => {
  expect(accepts({ integrity: `sha1-${digest("sha1")} sha512-${"A".repeat(86)}==` }, "bytes")).toBe(false);
  expect(accepts({ integrity: `sha512-${"A".repeat(86)}==`, shasum: digest("sha1", "hex") }, "bytes")).toBe(false);
});

test.each([{}, { integrity: "" }, { integrity: "md5-AAAA" }, { shasum: "not hex" }])(
  "nothing to hold on to: %o",
  (dist) => {
    expect(parseIntegrity(dist)).toBeUndefined();
  },
);
