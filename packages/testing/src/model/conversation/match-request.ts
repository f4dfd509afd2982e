import type { ParsedScript } from "../script/model-script.ts";
import type { ParsedStep } from "../script/model-step.ts";
import { finds } from "../script/pattern.ts";
import type { DialectName, RequestMatcher } from "../script/request-matcher.ts";
import type { ModelRequest } from "./model-request.ts";
import { promptsOf } from "./prompts.ts";

/** A conversation of the script, and the message of the history from which its steps count. */
export interface MatchedConversation {
  readonly name: string;
  readonly steps: readonly ParsedStep[];
  /** -1: from the very beginning. */
  readonly beginsAt: number;
}

/** Everything of a matcher except the prompt. */
export function matchesSetting(when: RequestMatcher, dialect: DialectName, request: ModelRequest): boolean {
  return (
    (when.system === undefined || finds(when.system, request.system)) &&
    (when.model === undefined || finds(when.model, request.model)) &&
    (when.tool === undefined || request.tools.includes(when.tool)) &&
    (when.hasTools === undefined || when.hasTools === request.tools.length > 0) &&
    (when.maxTokens === undefined || when.maxTokens === request.maxTokens) &&
    (when.dialect === undefined || when.dialect === dialect)
  );
}

/** The conversation whose prompt was said last; one without a prompt takes what is left, the first of them. */
export function matchConversation(
  script: ParsedScript,
  dialect: DialectName,
  request: ModelRequest,
): MatchedConversation | undefined {
  let best: (MatchedConversation & { promptIndex: number }) | undefined;
  for (const { name, when, steps } of conversationsOf(script)) {
    const begin = beginningOf(when, dialect, request);
    if (begin === undefined) continue;
    if (best === undefined || begin.promptIndex > best.promptIndex) best = { name, steps, ...begin };
  }
  return best;
}

interface PlayedConversation {
  readonly name: string;
  readonly when: RequestMatcher;
  readonly steps: readonly ParsedStep[];
}

function conversationsOf({ conversations = [], steps: others }: ParsedScript): PlayedConversation[] {
  const named = conversations.map(({ name, when, steps }, index) => {
    return { name: name ?? `conversations[${index}]`, when: when ?? {}, steps };
  });
  return others === undefined ? named : [...named, { name: "steps", when: {}, steps: others }];
}

function beginningOf(
  when: RequestMatcher,
  dialect: DialectName,
  request: ModelRequest,
): { beginsAt: number; promptIndex: number } | undefined {
  if (!matchesSetting(when, dialect, request)) return undefined;
  const { prompt } = when;
  if (prompt === undefined) return { beginsAt: -1, promptIndex: -1 };
  const prompts = promptsOf(request.messages);
  const promptIndex = prompts.findLastIndex(({ text }) => finds(prompt, text));
  const found = prompts[promptIndex];
  return found && { beginsAt: found.messageIndex, promptIndex };
}
