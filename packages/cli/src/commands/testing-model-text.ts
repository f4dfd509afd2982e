import type { AgentRecipe, RecordedRequest } from "@sandbox-agent-ts/testing/model";
import { shellQuote } from "../output/shell-quote.ts";

/** What a person needs to know about a scripted model that has started. */
export function modelBanner(url: string, recipes: readonly AgentRecipe[]): string {
  return [
    `Scripted model at ${url}; Ctrl-C ends it.`,
    "",
    `  Anthropic Messages                  base URL ${url}`,
    `  OpenAI Responses, Chat Completions  base URL ${url}/v1`,
    `  Gemini                              base URL ${url}`,
    "",
    "Point an agent at it (no tokens are spent, any key will do):",
    ...recipes.flatMap((recipe) => ["", `# ${recipe.agent}`, ...recipeLines(recipe)]),
    "",
  ].join("\n");
}

function recipeLines({ env, command, file }: AgentRecipe): string[] {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${shellQuote(value)}`);
  const preparation = file === undefined ? [] : [`# with ${file.path}: ${file.content}`];
  return [...preparation, [...variables, ...command.map(shellQuote)].join(" ")];
}

const SHOWN_CHARACTERS = 60;

/** One line about a request, and one about each thing that is wrong with it. */
export function requestLines({ index, dialect, model, messages, answeredBy, problems }: RecordedRequest): string {
  const said = messages.findLast(({ role, text }) => role === "user" && text !== "")?.text ?? "";
  const shown = said.length > SHOWN_CHARACTERS ? `…${said.slice(-SHOWN_CHARACTERS)}` : said;
  const { source, name, index: step } = answeredBy;
  const answer = source === "conversation" ? `${name}[${step}]` : `${source} ${name}`;
  const line = `${index} ${dialect} ${model} ${JSON.stringify(shown)} → ${answer}`;
  return [line, ...problems.map((problem) => `  ! ${problem}`)].join("\n");
}
