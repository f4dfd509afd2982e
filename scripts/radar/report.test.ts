import { expect, test } from "vitest";
import { exitCodeOf, reportText } from "./report.mjs";

const quiet = {
  agent: "a",
  pinned: "1.0.0",
  version: "1.0.0",
  versions: { newest: "1.0.0" },
  schema: { changes: [] },
  recordings: { checked: 5, unknownKinds: [], unknownFields: [], unknownWords: [], invalid: [] },
  suite: undefined,
};
const added = { what: "added", kind: "glow", mark: "ignored", alarm: false };
const moved = { ...quiet, version: "1.1.0", schema: { changes: [added] } };
const blind = { ...quiet, versions: { failure: "no registry" } };

test("nothing moved is 0, something moved is 1, and 2 is that it could not be looked", () => {
  expect(exitCodeOf([quiet])).toBe(0);
  expect(exitCodeOf([quiet, moved])).toBe(1);
  expect(exitCodeOf([quiet, blind])).toBe(2);
  expect(exitCodeOf([moved, blind])).toBe(1);
});

test("the table says it in one line, and what moved below", () => {
  const suite = { passed: 3, skipped: 0, broke: [{ test: "stops", reason: "it did not" }], gone: [] };
  expect(reportText([quiet, { ...moved, suite }, blind]).split("\n")).toEqual([
    "agent  pinned → newest  schema     recordings        suite",
    "a      1.0.0            identical  0 of 5 lines new  –",
    "a      1.0.0 → 1.1.0    +1 −0 ~0   0 of 5 lines new  3/4",
    "a      1.0.0            identical  0 of 5 lines new  –",
    "",
    "a",
    "  schema: added kind glow",
    "  suite: BROKE stops: it did not",
    "",
    "a",
    "  versions could not be looked at: no registry",
  ]);
});
