import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { ChatMessage } from "./chat-record.ts";
import { mendChat, responsesOf } from "./mend-chat.ts";
import { replayChat } from "./replay-chat.ts";

const read = (name: string) => readFileSync(new URL(`../__fixtures__/chats/${name}.jsonl`, import.meta.url), "utf8");
const { messages } = replayChat(read("tools"));

function shape({ type, toolCalls }: ChatMessage): string {
  return [type, ...(toolCalls ?? []).map(({ name }) => name)].join(" ");
}

test("the program writes all calls into one message, and results into the user's", () => {
  expect(Math.max(...messages.map(({ toolCalls }) => toolCalls?.length ?? 0))).toBeGreaterThan(5);
  expect(messages.flatMap(responsesOf)).not.toEqual([]);
});

test("mended, each call is in the answer that made it, with its result", () => {
  const mended = mendChat(messages);
  expect(mended.map(shape)).toEqual([
    "user",
    "user",
    "gemini",
    "gemini run_shell_command",
    "gemini run_shell_command",
    "gemini write_file",
    "gemini replace read_file",
    "gemini read_file",
    "gemini list_directory read_file",
    "gemini mcp_contract_shout",
    "gemini",
  ]);
  expect(mended.flatMap(responsesOf)).toEqual([]);
  const calls = mended.flatMap(({ toolCalls }) => toolCalls ?? []);
  expect(calls.filter(({ args, result }) => !args || !result?.length)).toEqual([]);
});

test("what is mended stays as it is", () => {
  const once = mendChat(messages);
  expect(mendChat(once)).toEqual(once);
});

test("a call that nobody answered stays where it is; words and thoughts are kept", () => {
  const open: ChatMessage = { id: "g", type: "gemini", content: "Hm.", toolCalls: [{ id: "c", name: "glob" }] };
  expect(mendChat([open])).toEqual([{ ...open, content: [{ text: "Hm." }] }]);
});

test("of a conversation that was taken up again, calls in the content are not told twice", () => {
  const call = { id: "c", name: "glob", args: { pattern: "*" } };
  const response = { id: "c", name: "glob", response: { output: "a" } };
  const mended = mendChat([
    { id: "g", type: "gemini", content: [{ text: "Look." }, { functionCall: call }], toolCalls: [call] },
    { id: "g_response", type: "user", content: [{ functionResponse: response }] },
  ]);
  expect(mended).toMatchObject([{ id: "g", content: [{ text: "Look." }], toolCalls: [call] }]);
});
