import { expect, test } from "vitest";
import { readFileList, withFileList } from "./file-list.ts";

test("files are listed after the message, with what is known of them", () => {
  const files = [{ path: "/w/a" }, { path: "/w/b", filename: "B" }, { path: "/w/c", filename: "C", mime: "text/csv" }];
  expect(withFileList("Look.", files)).toBe("Look.\n\nAttached files:\n- /w/a\n- /w/b (B)\n- /w/c (C, text/csv)");
});

test("without files there is no list, and without a message nothing before it", () => {
  expect(withFileList("Look.", [])).toBe("Look.");
  expect(withFileList("", [{ path: "/w/a" }])).toBe("Attached files:\n- /w/a");
});

test.each([
  ["Look.", []],
  ["Look.", [{ path: "/w/a" }, { path: "/w/b (1).txt", filename: "B", mime: "text/plain" }]],
  ["", [{ path: "/w/a b" }]],
  ["Attached files: none", []],
])("what was said and attached is read again: %j with %j", (message, files) => {
  const text = message === "" ? [] : [{ type: "text", text: message }];
  const refs = files.map(({ path }) => ({ type: "file_ref", path, action: "read" }));
  expect(readFileList(withFileList(message, files))).toEqual([...text, ...refs]);
});
