import { randomUUID } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { AcpUpdate } from "../../../acp/dialect.ts";
import { readRegularText } from "../../../files/read-regular-file.ts";
import { geminiDirectory } from "../home/gemini-directory.ts";
import { chatFiles } from "./chat-files.ts";
import { chatFileName, chatText } from "./chat-text.ts";
import { mendChat } from "./mend-chat.ts";
import { type Chat, replayChat } from "./replay-chat.ts";

/** The program tells it with the rest of the history, and keeps it from its model. */
const END_OF_HISTORY = "<hook_context>The history ends here.</hook_context>";

/**
 * Makes a conversation ready to be taken up again; false when there is none. Its file gets another name, because the
 * program begins with writing an empty conversation into the one of this minute, and what was in there would be lost.
 */
export async function reopenChat(env: Readonly<Record<string, string>>, sessionId: string): Promise<boolean> {
  const files = await chatFiles(geminiDirectory(env), sessionId);
  const chats = await Promise.all(files.map(async (file) => ({ file, chat: replayChat(await readRegularText(file)) })));
  const own = chats.filter(({ chat }) => chat.sessionId === sessionId);
  const newest = own
    .filter(({ chat }) => isBegun(chat))
    .sort(byTime)
    .at(-1);
  if (!newest) return false;
  const head = { sessionId, time: new Date().toISOString() };
  const end = { id: randomUUID(), timestamp: head.time, type: "user", content: [{ text: END_OF_HISTORY }] };
  const text = chatText(head, [...mendChat(newest.chat.messages), end]);
  const path = join(dirname(newest.file), chatFileName(head));
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
  await Promise.all(own.filter(({ file }) => file !== path).map(({ file }) => rm(file, { force: true })));
  return true;
}

/** The update that `reopenChat` has put behind all others. Pure. */
export function endsHistory({ sessionUpdate, content }: AcpUpdate): boolean {
  const { text } = (content ?? {}) as { text?: string };
  return sessionUpdate === "user_message_chunk" && text === END_OF_HISTORY;
}

/** Somebody said something. */
function isBegun({ messages }: Chat): boolean {
  return messages.some(({ type }) => type === "gemini") || messages.filter(({ type }) => type === "user").length > 1;
}

function byTime(a: { chat: Chat }, b: { chat: Chat }): number {
  return a.chat.lastUpdated < b.chat.lastUpdated ? -1 : 1;
}
