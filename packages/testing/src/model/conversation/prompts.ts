import type { ModelMessage } from "./model-request.ts";

/** A text a person wrote, and the message it stands in. */
export interface Prompt {
  readonly text: string;
  readonly messageIndex: number;
}

/** Agents put context of their own among the user's messages; each such text is one element: `<system-reminder>…`. */
const agentContext =
  /^\s*<(system-reminder|environment_context|session_context|user_instructions|permissions instructions|collaboration_mode|apps_instructions|skills_instructions|INSTRUCTIONS|local-command-caveat|task-notification|turn_aborted|subagent_notification)\b/;
const agentsFile = /^# AGENTS\.md instructions/;

export function isAgentContext(text: string): boolean {
  return agentContext.test(text) || agentsFile.test(text);
}

/** What the user said, in order, without what agents add. An image alone counts, as an empty text. */
export function promptsOf(messages: readonly ModelMessage[]): Prompt[] {
  return messages.flatMap((message, messageIndex) => {
    if (message.role !== "user" || message.toolResults.length > 0) return [];
    const texts = message.texts.filter((text) => text.trim() !== "" && !isAgentContext(text));
    if (texts.length === 0 && message.images.length > 0) texts.push("");
    return texts.map((text) => ({ text, messageIndex }));
  });
}
