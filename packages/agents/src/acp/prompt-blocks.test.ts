import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { promptBlocks } from "./prompt-blocks.ts";

const directory = fileURLToPath(new URL(".", import.meta.url));
const about = { directory, instructions: undefined };
const say = (message: string, ...paths: string[]) => {
  return { turnId: "t", message, attachments: paths.map((path) => ({ path, mime: "image/png" })) };
};

test("an image goes along where the agent takes images, and else as a link", async () => {
  const input = say("look", "README.md");
  const [, image] = await promptBlocks(input, { ...about, takes: { image: true } });
  expect(image).toMatchObject({ type: "image", mimeType: "image/png", data: expect.stringMatching(/^\w/) });
  const [, link] = await promptBlocks(input, { ...about, takes: {} });
  expect(link).toMatchObject({ type: "resource_link", name: "README.md", uri: expect.stringMatching(/^file:\/\/\//) });
});

test("instructions come first, as context or in brackets", async () => {
  const instructions = "Be brief.";
  const context = await promptBlocks(say("hi"), { ...about, instructions, takes: { embeddedContext: true } });
  expect(context).toMatchObject([{ type: "resource", resource: { text: "Be brief." } }, { text: "hi" }]);
  const [plain] = await promptBlocks(say("hi"), { ...about, instructions, takes: {} });
  expect(plain).toEqual({ type: "text", text: "<instructions>\nBe brief.\n</instructions>" });
});

test("a message without words is its attachments, and an image that is not there is said", async () => {
  expect(await promptBlocks(say("", "README.md"), { ...about, takes: {} })).toHaveLength(1);
  const missing = promptBlocks(say("", "no-such.png"), { ...about, takes: { image: true } });
  await expect(missing).rejects.toMatchObject({ code: "invalid_request" });
});
