import { expect, test } from "vitest";
import { pathInside } from "./path-inside.ts";

test.each([
  ["/work", "/work/a.txt", "a.txt"],
  ["/work/", "/work/a/../b/./c.txt", "b/c.txt"],
  ["/work", "a/b.txt", "a/b.txt"],
  ["/", "/etc/x", "etc/x"],
  ["C:\\work", "C:\\work\\a\\b.txt", "a/b.txt"],
  ["/work", "/work/..a", "..a"],
])("in %s the path %s is %s", (directory, path, inside) => {
  expect(pathInside(directory, path)).toBe(inside);
});

test.each([
  ["/work", "/work"],
  ["/work", "/workshop/a"],
  ["/work", "/work/../etc/x"],
  ["/work", "../x"],
  ["/work", "a/../../x"],
  ["/work", "/etc/x"],
  ["C:\\work", "C:\\windows\\x"],
])("%s does not have %s", (directory, path) => {
  expect(pathInside(directory, path)).toBeUndefined();
});
