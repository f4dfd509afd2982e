import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { userInput } from "./user-input.ts";

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "codex-input-"));
  await Promise.all(["a.png", "photo", "huge.png"].map((name) => writeFile(join(directory, name), "x")));
  await truncate(join(directory, "huge.png"), 40 * 1024 * 1024);
});
afterAll(() => rm(directory, { recursive: true }));

test("images are shown, of other files it is said where they are", async () => {
  const attachments = [
    { path: "a.png" },
    { path: join(directory, "photo"), mime: "image/jpeg" },
    { path: "b.txt", mime: "text/plain", filename: "B" },
    { path: "c.svg", mime: "image/svg+xml" },
  ];
  expect(await userInput({ turnId: "t", message: "Look.", attachments }, directory)).toEqual([
    {
      type: "text",
      text: `Look.\n\nAttached files:\n- ${directory}/b.txt (B, text/plain)\n- ${directory}/c.svg (image/svg+xml)`,
    },
    { type: "localImage", path: `${directory}/a.png` },
    { type: "localImage", path: `${directory}/photo` },
    { type: "mention", name: "B", path: `${directory}/b.txt` },
    { type: "mention", name: "c.svg", path: `${directory}/c.svg` },
  ]);
});

test.each([
  ["missing.png", "Check its path"],
  ["huge.png", "Attach a smaller one"],
])("the image %s is refused, which Codex would leave out in silence", async (path, advice) => {
  const attachments = [{ path, mime: "image/png" }];
  const input = userInput({ turnId: "t", message: "Look.", attachments }, directory);
  await expect(input).rejects.toMatchObject({ code: "invalid_request", message: expect.stringContaining(advice) });
});
