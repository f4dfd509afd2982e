/** Feared: bytes that do not arrive as they were sent, that are written twice, that stay, or that escape their directory. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { UniversalItem } from "@sandbox-agent-ts/protocol";
import { describe, expect, test } from "vitest";
import { agentText, type Client, codeOf, ofType, session } from "../__fixtures__/client.ts";
import { temporaryDirectory } from "../__fixtures__/temporary-directory.ts";
import { startTestDaemon } from "../__fixtures__/test-daemon.ts";

type Part = UniversalItem["content"][number];

const bytes = Buffer.from(Array.from({ length: 300 }, (_, n) => n % 256));
const dataUrl = `data:image/png;base64,${bytes.toString("base64")}`;

/** Send a message with attachments and wait for its turn. Answers the parts of the user's item that are no text. */
async function send(client: Client, attachments: readonly object[], headers: Record<string, string> = {}) {
  const answer = await client.call("POST", `${session("s")}/messages`, { message: "look", attachments }, headers);
  expect(answer.status, answer.text).toBe(202);
  const { turnId } = answer.json<{ turnId: string }>();
  const reader = await client.follow("s");
  const events = await reader.until(({ type, data }) => type === "turn.ended" && data.turn_id === turnId);
  reader.drop();
  const items = ofType(events, "item.completed").filter(({ data }) => data.item.role === "user");
  return items.at(-1)!.data.item.content.filter(({ type }) => type !== "text");
}

const pathOf = (part: Part | undefined) => (part && "path" in part ? part.path : "");

async function begin() {
  const daemon = await startTestDaemon();
  await daemon.client.create("s");
  return daemon;
}

test("an image becomes a file that only we can read, which the log names and the filesystem API gives", async () => {
  const { client, dataDir } = await begin();
  const [part] = await send(client, [{ url: dataUrl, filename: "../my shot.png" }]);
  expect(part).toMatchObject({ type: "image", mime: "image/png" });
  const path = pathOf(part);
  expect(path.startsWith(dataDir)).toBe(true);
  expect(basename(path)).toMatch(/^[0-9a-f]{32}-my-shot\.png$/);
  expect(readFileSync(path)).toEqual(bytes);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const read = await fetch(`${client.url}/v1/fs/file?sessionId=s&path=${encodeURIComponent(path)}`);
  expect(Buffer.from(await read.arrayBuffer())).toEqual(bytes);
  await client.call("DELETE", session("s"));
  expect(existsSync(dirname(path))).toBe(false);
});

test.each([
  ["data:text/plain,a%20b%C3%A9%00", Buffer.from("a bé\0"), "text/plain"],
  ["data:,plain", Buffer.from("plain"), undefined],
  ["data:text/plain;charset=utf-8;base64,aGk%3D", Buffer.from("hi"), "text/plain"],
  ["data:;base64,", Buffer.alloc(0), undefined],
])("%s is understood", async (url, content, mime) => {
  const { client } = await begin();
  const [part] = await send(client, [{ url }]);
  expect(part).toMatchObject({ type: "file_ref", action: "read" });
  expect(readFileSync(pathOf(part))).toEqual(content);
  expect(basename(pathOf(part)).endsWith(mime ? "-attachment.plain" : "-attachment")).toBe(true);
});

test("a retry with the same key is the same turn and writes nothing again; files stay paths beside", async () => {
  const { client } = await begin();
  const key = { "idempotency-key": "k" };
  const attachments = [{ url: dataUrl }, { path: "notes.txt" }];
  const [image, file] = await send(client, attachments, key);
  const before = statSync(pathOf(image));
  expect(await send(client, attachments, key)).toEqual([image, file]);
  expect(statSync(pathOf(image)).ino).toBe(before.ino);
  expect(readdirSync(dirname(pathOf(image)))).toHaveLength(1);
  expect(pathOf(file)).toBe("notes.txt");
});

test.each([
  ["no-such-file.txt", "cannot be read"],
  ["no-such-image.png", "cannot be read"],
  ["pipe", "is not a file"],
])("a message with %s is told to no agent: its turn ends with a sentence, and the next one runs", async (path, why) => {
  const { client } = await startTestDaemon();
  const directory = temporaryDirectory();
  execFileSync("mkfifo", [join(directory, "pipe")]);
  await client.create("s", { agent: "mock", directory });
  const body = { message: "echo Look.", attachments: [{ path }] };
  expect((await client.call("POST", `${session("s")}/messages`, body)).status).toBe(202);
  const reader = await client.follow("s");
  const events = await reader.until(({ type }) => type === "turn.ended");
  reader.drop();
  const message = `The attachment ${join(directory, path)} ${why}. Check its path.`;
  expect(ofType(events, "error").map(({ data }) => data)).toEqual([{ code: "invalid_request", message }]);
  expect(ofType(events, "turn.ended")[0]?.data.metadata).toMatchObject({ reason: "error", message });
  expect(agentText(events)).toBe("");
  expect(agentText(await client.turn("s", "echo Go on."))).toBe("Go on.");
});

describe("refused with a sentence:", () => {
  test.each([
    [[{ url: "https://example.com/a.png" }], 400],
    [[{ url: "data:image/png;base64,!!!" }], 400],
    [[{ url: "data:no comma" }], 400],
    [[{ url: "data:,%zz" }], 400],
    [[{ url: "data:,x", path: "x" }], 400],
    [[{}], 400],
    [Array.from({ length: 101 }, () => ({ path: "x" })), 400],
    [[{ url: `data:,${"x".repeat(48 * 1024 * 1024)}` }], 413],
  ])("attachments no. %#", async (attachments, status) => {
    const { client } = await begin();
    const answer = await client.call("POST", `${session("s")}/messages`, { message: "x", attachments });
    expect(answer.status).toBe(status);
    expect(codeOf(answer)).toBe(status === 413 ? "payload_too_large" : "invalid_request");
  });

  test("an empty message without attachments, which with them is fine", async () => {
    const { client } = await begin();
    const empty = await client.send("s", "");
    expect(empty.status).toBe(400);
    expect(empty.text).toContain("is empty and there are no attachments");
    const answer = await client.call("POST", `${session("s")}/messages`, { message: "", attachments: [{ path: "x" }] });
    expect(answer.status).toBe(202);
  });
});
