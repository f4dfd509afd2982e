import type { ModelMessage } from "./model-request.ts";

/**
 * The answers of the model after a message. One answer may stand in several messages (reasoning, text and each tool
 * call are items of their own in the Responses API), so neighbours are one.
 */
export function answersSince(messages: readonly ModelMessage[], messageIndex: number): string[] {
  const answers: string[] = [];
  let previous: ModelMessage["role"] | undefined;
  for (const { role, text } of messages.slice(messageIndex + 1)) {
    if (role === "assistant" && previous === "assistant") answers.push(`${answers.pop() ?? ""}${text}`);
    else if (role === "assistant") answers.push(text);
    previous = role;
  }
  return answers;
}

/** All that came after the model's last answer. */
export function newMessages(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const last = messages.findLastIndex(({ role }) => role === "assistant");
  return messages.slice(last + 1);
}
