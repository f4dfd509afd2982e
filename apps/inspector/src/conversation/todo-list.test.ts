import { expect, test } from "vitest";
import { todosOf } from "./todo-list.ts";

test("a list of things to do is read from a status", () => {
  expect(todosOf("[x] one\n[~] two\n[ ] three\n")).toEqual([
    { text: "one", state: "done" },
    { text: "two", state: "active" },
    { text: "three", state: "open" },
  ]);
});

test.each(["", "12 of 40 files", "[x] one\nand a sentence", "[?] what"])("%j is no list", (detail) => {
  expect(todosOf(detail)).toBeUndefined();
});
