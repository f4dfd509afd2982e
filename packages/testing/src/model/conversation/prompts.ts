import type { ModelMessage } from "./model-request.ts";

/** A text a person wrote, and the message it stands in. */
export interface Prompt {
  readonly text: string;
  readonly messageIndex: number;
}

const contextElements = [
  "system-reminder",
  "command-name",
  "command-message",
  "local-command-caveat",
  "local-command-stdout",
  "local-command-stderr",
  "task-notification",
  "environment_context",
  "user_instructions",
  "turn_aborted",
  "subagent_notification",
  "session_context",
];
const contextBeginnings = [
  `<(?:${contextElements.join("|")})\\b`,
  "# AGENTS\\.md instructions",
  "This session is being continued from a previous conversation",
  "Another language model started to solve this problem",
];
const interruption = "\\[Request interrupted by user";
const agentContext = new RegExp(`^\\s*(?:${[...contextBeginnings, interruption].join("|")})`);
const interrupted = new RegExp(`^\\s*${interruption}`);

/** What the user said, in order, without the context that agents put beside it. An image alone is an empty text. */
export function promptsOf(messages: readonly ModelMessage[]): Prompt[] {
  return messages.flatMap((message, messageIndex) => {
    if (message.role !== "user") return [];
    const isToolAnswer = message.toolResults.length > 0;
    const said = isToolAnswer ? saidAfterInterruption(message.texts) : message.texts;
    const texts = said.filter((text) => text.trim() !== "" && !agentContext.test(text));
    if (texts.length === 0 && message.images.length > 0 && !isToolAnswer) texts.push("");
    return texts.map((text) => ({ text: text.trim(), messageIndex }));
  });
}

/** Claude Code puts the next prompt into the message with the result of the tool that was interrupted. */
function saidAfterInterruption(texts: readonly string[]): readonly string[] {
  const at = texts.findLastIndex((text) => interrupted.test(text));
  return at < 0 ? [] : texts.slice(at + 1);
}
