import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { conversationWritten } from "./written-conversation.ts";

function makeHome(): { env: { HOME: string }; write: (type: string, time: number) => void } {
  const home = mkdtempSync(join(tmpdir(), "sandbox-agent-qwen-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const chats = join(home, ".qwen", "projects", "-w", "chats");
  mkdirSync(chats, { recursive: true });
  const write = (type: string, time: number) =>
    appendFileSync(join(chats, "c.jsonl"), `${JSON.stringify({ type, timestamp: new Date(time).toISOString() })}\n`);
  return { env: { HOME: home }, write };
}

test("an answer of an earlier turn is not the one that is waited for", async () => {
  const { env, write } = makeHome();
  write("assistant", 1_000);
  write("user", 5_000);
  let isWritten = false;
  const waiting = conversationWritten(env, "c", 4_000).then(() => {
    isWritten = true;
  });
  await new Promise(setImmediate);
  expect(isWritten).toBe(false);
  write("assistant", 6_000);
  await waiting;
});

test("what is never written is not waited for for ever", async () => {
  await conversationWritten(makeHome().env, "none", 0);
});
