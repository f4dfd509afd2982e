import { expect, test } from "vitest";
import { imageFile } from "./image-file.ts";

test.each([
  ["call_1-0", "image/jpeg", "/images/call_1-0.jpeg"],
  ["call_1-0", undefined, "/images/call_1-0.png"],
  ["call_1-0", "image/svg+xml", "/images/call_1-0.svgxml"],
  ["call_1-0", "image/", "/images/call_1-0.png"],
  ["../../etc/x.y", "image/../../x", "/images/etcxy.png"],
])("%s of the kind %s is %s", (name, mime, path) => {
  expect(imageFile("/images", name, "AAAA", mime)).toEqual({ path, base64: "AAAA" });
});
