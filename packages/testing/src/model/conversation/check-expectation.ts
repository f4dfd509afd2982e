import type { Expectation } from "../script/model-step.ts";
import { describePattern, finds, type Patterns, patternList } from "../script/pattern.ts";
import { newMessages } from "./answers-since.ts";
import type { ModelMessage, ModelRequest } from "./model-request.ts";

/** What a step expected of its request and did not get, a sentence each. */
export function checkExpectation(expectation: Expectation, request: ModelRequest): string[] {
  const news = newMessages(request.messages);
  const images = news.flatMap((message) => [
    ...message.images,
    ...message.toolResults.flatMap((result) => result.images),
  ]);
  const wantedImages = expectation.images ?? 0;
  return [
    ...missing("the new messages", expectation.text, news.map(({ text }) => text).join("\n")),
    ...missing("the new tool results", expectation.toolResult, news.map(resultText).join("\n")),
    ...missing("the conversation", expectation.history, request.messages.map(wholeText).join("\n")),
    ...missing("the system prompt", expectation.system, request.system),
    ...missing("the model's name", expectation.model, request.model),
    ...(images.length < wantedImages ? [`expected ${wantedImages} new image(s), got ${images.length}`] : []),
    ...(expectation.tools ?? [])
      .filter((name) => !request.tools.includes(name))
      .map((name) => `expected the tool ${name}, offered are: ${request.tools.join(", ") || "none"}`),
  ];
}

const SHOWN_CHARACTERS = 300;

function missing(where: string, patterns: Patterns | undefined, text: string): string[] {
  const shown = text.length > SHOWN_CHARACTERS ? `…${text.slice(-SHOWN_CHARACTERS)}` : text;
  return patternList(patterns)
    .filter((pattern) => !finds(pattern, text))
    .map((pattern) => `expected ${describePattern(pattern)} in ${where}, which is: ${JSON.stringify(shown)}`);
}

function resultText({ toolResults }: ModelMessage): string {
  return toolResults.map(({ text }) => text).join("\n");
}

export function wholeText(message: ModelMessage): string {
  const calls = message.toolCalls.map(({ name, input }) => `${name} ${JSON.stringify(input)}`);
  return [message.reasoning, message.text, ...calls, resultText(message)].filter(Boolean).join("\n");
}
