import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readAttachment } from "./read-attachment.ts";

function fileOf(content: string): string {
  const directory = mkdtempSync(join(tmpdir(), "sandbox-agent-attachment-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const path = join(directory, "image.png");
  writeFileSync(path, content);
  return path;
}

test("an image is read as base64", async () => {
  expect(await readAttachment({ path: fileOf("hello") })).toBe("aGVsbG8=");
});

test("what is no file is not waited for", async () => {
  for (const path of ["/dev/zero", tmpdir()]) {
    await expect(readAttachment({ path })).rejects.toMatchObject({
      code: "invalid_request",
      message: `The attachment ${path} is not a file. Check its path.`,
    });
  }
});

test("one that is not there, and one that no model would take, say what to do", async () => {
  await expect(readAttachment({ path: "/nowhere/at/all.png" })).rejects.toMatchObject({
    code: "invalid_request",
    message: expect.stringContaining("Check its path"),
  });
  const huge = fileOf("");
  truncateSync(huge, 33 * 1024 * 1024);
  await expect(readAttachment({ path: huge })).rejects.toMatchObject({
    code: "invalid_request",
    message: expect.stringContaining("Attach a smaller one"),
  });
});
