import { expect, test } from "vitest";
import { readSkillHeader } from "./skill-header.ts";

const header = (...lines: string[]) => readSkillHeader(["---", ...lines, "---", "name: not here"].join("\n"));

test.each([
  ["plain", ["name: light", "description: Keeps it burning"], { name: "light", description: "Keeps it burning" }],
  ["quoted", ["name: 'light'", 'description: "Keeps: it"'], { name: "light", description: "Keeps: it" }],
  [
    "folded",
    ["description: >-", "  Keeps it", "  burning", "name: light"],
    { name: "light", description: "Keeps it burning" },
  ],
  [
    "continued",
    ["description: Keeps it", "  burning", "allowed-tools:", "  - Read"],
    { description: "Keeps it burning" },
  ],
  ["empty", ["description:", "license: none"], {}],
])("reads a %s header", (_, lines, expected) => {
  expect(header(...lines)).toEqual(expected);
});

test("a file without a header says nothing", () => {
  expect(readSkillHeader("# Light\nname: light")).toEqual({});
});
