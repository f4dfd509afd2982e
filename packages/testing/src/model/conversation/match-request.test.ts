import { describe, expect, test } from "vitest";
import type { ModelScript } from "../script/model-script.ts";
import { parseScript } from "../script/parse-script.ts";
import { matchConversation } from "./match-request.ts";
import { type ModelRequest, modelMessage } from "./model-request.ts";

function request(texts: string[], more: Partial<ModelRequest> = {}): ModelRequest {
  const messages = texts.map((text, index) => modelMessage(index % 2 === 0 ? "user" : "assistant", { texts: [text] }));
  return { model: "m-1", stream: true, system: "be kind", messages, tools: ["Bash"], ...more };
}

function match(script: ModelScript, asked: ModelRequest): string | undefined {
  const found = matchConversation(parseScript(script), "anthropic", asked);
  return found && `${found.name} from ${found.beginsAt}`;
}

const steps = [{ text: "ok" }];

describe("among several conversations", () => {
  const script = {
    conversations: [
      { name: "weather", when: { prompt: "weather" }, steps },
      { name: "greeting", when: { prompt: /^hello/i }, steps },
    ],
    steps,
  };

  test("the prompt that was said last decides, and steps count from there", () => {
    expect(match(script, request(["the weather?", "sunny", "Hello you"]))).toBe("greeting from 2");
    expect(match(script, request(["Hello you", "hi", "the weather?"]))).toBe("weather from 2");
  });

  test("other words go on with the conversation that runs", () => {
    expect(match(script, request(["the weather?", "sunny", "and tomorrow?"]))).toBe("weather from 0");
  });

  test("what the model said is no prompt", () => {
    expect(match(script, request(["hello", "the weather is nice", "thanks"]))).toBe("greeting from 0");
  });

  test("the plain steps take what is left, from the beginning", () => {
    expect(match(script, request(["what else?"]))).toBe("steps from -1");
  });
});

describe("a conversation may ask for more than a prompt", () => {
  const asked = request(["go"], { maxTokens: 7 });
  test.each([
    ["system", { system: "kind" }, { system: "cruel" }],
    ["model", { model: /^m-\d$/ }, { model: "m-2" }],
    ["tool", { tool: "Bash" }, { tool: "Read" }],
    ["hasTools", { hasTools: true }, { hasTools: false }],
    ["maxTokens", { maxTokens: 7 }, { maxTokens: 8 }],
    ["dialect", { dialect: "anthropic" as const }, { dialect: "gemini" as const }],
  ])("%s", (_name, fitting, other) => {
    expect(match({ conversations: [{ name: "it", when: fitting, steps }] }, asked)).toBe("it from -1");
    expect(match({ conversations: [{ name: "it", when: other, steps }] }, asked)).toBeUndefined();
  });
});
