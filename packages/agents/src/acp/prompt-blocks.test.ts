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

test("where a link is a path it is not encoded, and files beside an image are listed", async () => {
  const quirks = { linksArePaths: true };
  const attachments = [{ path: "/w/höhle 100%.txt" }];
  const message = { turnId: "t", message: "look", attachments };
  const [, link] = await promptBlocks(message, { ...about, quirks, takes: { image: true } });
  expect(link).toMatchObject({ type: "resource_link", uri: "file:///w/höhle 100%.txt" });
  const both = { ...message, attachments: [...attachments, { path: "README.md", mime: "image/png" }] };
  const blocks = await promptBlocks(both, { ...about, quirks, takes: { image: true } });
  expect(blocks).toMatchObject([
    { type: "text", text: "look" },
    { type: "text", text: "Attached files:\n- /w/höhle 100%.txt" },
    { type: "image" },
  ]);
});

test("an agent that keeps only text reads there what went with the message", async () => {
  const quirks = { linksArePaths: true, forgetsAttachments: true };
  const [, list, image] = await promptBlocks(say("look", "README.md"), { ...about, quirks, takes: { image: true } });
  expect(list).toMatchObject({ type: "text", text: expect.stringMatching(/^Attached files:\n- .*README.md/) });
  expect(image).toMatchObject({ type: "image" });
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
