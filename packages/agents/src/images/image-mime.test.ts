import { expect, test } from "vitest";
import { imageMime } from "./image-mime.ts";

test.each([
  ["/a/b.png", "image/png"],
  ["b.JPG", "image/jpeg"],
  ["b.jpeg", "image/jpeg"],
  ["b.svg", "image/svg+xml"],
  ["/a.d/b", undefined],
])("%s is %s", (path, mime) => {
  expect(imageMime(path)).toBe(mime);
});
