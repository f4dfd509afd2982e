import { expect, test } from "vitest";
import { attachmentPath } from "./attachment.ts";

test.each([
  ["notes.txt", "notes.txt"],
  ["../../etc/passwd", "etc-passwd"],
  ["größe und 名前.png", "größe-und-名前.png"],
  ["...", "file"],
  [`${"x".repeat(200)}.md`, `${"x".repeat(77)}.md`],
])("%s is kept as %s", (name, kept) => {
  expect(attachmentPath(name)).toMatch(
    new RegExp(`^\\.sandbox-agent/attachments/[0-9a-f]{8}-${kept.replaceAll(".", "\\.")}$`),
  );
});
