import { expect, test } from "vitest";
import { attachedFiles } from "./attached-files.ts";

function file(attachment: { path: string; mime?: string | null }) {
  return attachedFiles({ turnId: "t", message: "", attachments: [attachment] }, "/workspace")[0];
}

test("a path is meant from the directory of the session", () => {
  expect(file({ path: "a.txt" })).toMatchObject({ path: "/workspace/a.txt" });
  expect(file({ path: "/x/a.txt" })).toMatchObject({ path: "/x/a.txt" });
});

test.each([
  [{ path: "a.PNG" }, "image/png"],
  [{ path: "a.jpg", mime: null }, "image/jpeg"],
  [{ path: "photo", mime: "image/webp" }, "image/webp"],
  [{ path: "photo", mime: "image/jpg" }, "image/jpeg"],
])("%j is an image", (attachment, imageMime) => {
  expect(file(attachment)).toMatchObject({ imageMime });
});

test.each([
  { path: "Makefile" },
  { path: "a.txt" },
  { path: "a.svg" },
  { path: "a.png", mime: "text/plain" },
  { path: "a.bmp", mime: "image/bmp" },
])("%j is none that models take", (attachment) => {
  expect(file(attachment)?.imageMime).toBeUndefined();
});
