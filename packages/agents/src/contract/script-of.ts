import type { AgentScenario, ProvokingMessage } from "./agent-scenario.ts";
import { featureNames } from "./features.ts";
import type { ModelConversation, ModelScript } from "./model-script.ts";

/** What the model has to say in all provocations of a scenario together: a conversation for each message. */
export function scriptOf({ provoke }: AgentScenario): ModelScript {
  const conversations = featureNames.flatMap((name) => {
    const provocation = provoke[name];
    return "skip" in provocation ? [] : conversationsOf(name, provocation);
  });
  return { conversations };
}

function conversationsOf(
  name: string,
  { message, script, asides = [], other, after }: ProvokingMessage,
): ModelConversation[] {
  const own = script ? [{ name, when: { prompt: message }, steps: script }] : [];
  const others = other ? conversationsOf(`${name} (other)`, other) : [];
  const earlier = after ? conversationsOf(`${name} (before)`, after) : [];
  return [...own, ...asides, ...others, ...earlier];
}

/** Messages that stand in other messages, so that the model could not tell them apart. */
export function ambiguousMessages(script: ModelScript): string[] {
  const prompts = script.conversations.map(({ when }) => when.prompt);
  return prompts.filter((prompt, at) => prompts.some((other, index) => index !== at && other.includes(prompt)));
}
