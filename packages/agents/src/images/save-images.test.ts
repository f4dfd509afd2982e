import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { saveImages } from "./save-images.ts";

const root = mkdtempSync(join(tmpdir(), "save-images-"));
const base64 = (text: string) => Buffer.from(text).toString("base64");
afterAll(() => rmSync(root, { recursive: true }));

test("an image is put into a folder that need not be there, and nothing beside it", () => {
  const folder = join(root, "a", "b");
  saveImages([{ path: join(folder, "one.png"), base64: base64("first") }]);
  expect(readFileSync(join(folder, "one.png"), "utf8")).toBe("first");
  expect(readdirSync(folder)).toEqual(["one.png"]);
});

test("an image that changed is the new one, also for who reads the old one just then", () => {
  const path = join(root, "two.png");
  saveImages([{ path, base64: base64("before") }]);
  const reader = openSync(path, "r");
  saveImages([{ path, base64: base64("after") }]);
  expect(readFileSync(reader, "utf8")).toBe("before");
  expect(readFileSync(path, "utf8")).toBe("after");
  closeSync(reader);
});
