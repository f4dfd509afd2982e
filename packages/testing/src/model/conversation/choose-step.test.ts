import { describe, expect, test } from "vitest";
import { cut, fail, hang, say, step } from "../script/builders.ts";
import type { ModelStep } from "../script/model-step.ts";
import { parseScript } from "../script/parse-script.ts";
import { chooseStep, type Served } from "./choose-step.ts";

interface Case {
  answers?: string[];
  prompts?: string[];
  served?: Served[];
}

function chosen(steps: ModelStep[], { answers = [], prompts = ["go"], served = [] }: Case): number | undefined {
  const { index, step: found } = chooseStep(parseScript(steps).steps ?? [], answers, prompts, served);
  return found === undefined ? undefined : index;
}

describe("the answers in the history say which step is next", () => {
  const steps = [say("a"), say("b")];
  test.each([
    ["none yet", [], 0],
    ["one", ["a"], 1],
    ["all: the script is over", ["a", "b"], undefined],
  ])("%s", (_name, answers, expected) => {
    expect(chosen(steps, { answers })).toBe(expected);
  });

  test("a repeated step counts as often as it says", () => {
    const repeated = [{ ...say("a"), repeat: 3 }, say("b")];
    expect(chosen(repeated, { answers: ["a", "a"] })).toBe(2);
    expect(chosen(repeated, { answers: ["a", "a", "a"] })).toBe(3);
    expect(chosen([{ ...say("a"), repeat: "forever" }], { answers: Array(50).fill("a") })).toBe(50);
  });
});

describe("a repeated request", () => {
  test("gets the same answer", () => {
    expect(chosen([say("a"), say("b")], { served: [{ prompts: ["go"], index: 0 }] })).toBe(0);
  });

  test("gets past a failure", () => {
    const steps = [fail(500), cut(), say("ok")];
    expect(chosen(steps, { served: [{ prompts: ["go"], index: 0 }] })).toBe(1);
    const both = [0, 1].map((index) => ({ prompts: ["go"], index }));
    expect(chosen(steps, { served: both })).toBe(2);
    expect(chosen(steps, { served: [...both, { prompts: ["go"], index: 2 }] })).toBe(2);
  });

  test("meets the last step's failure for ever", () => {
    expect(chosen([fail(401)], { served: [{ prompts: ["go"], index: 0 }] })).toBe(0);
  });

  test("of another conversation does not count", () => {
    expect(chosen([fail(500), say("ok")], { prompts: ["other"], served: [{ prompts: ["go"], index: 0 }] })).toBe(0);
  });
});

describe("a user who speaks again without an answer", () => {
  test("gets the next step: the one before was abandoned", () => {
    expect(chosen([say("slow"), say("b")], { prompts: ["go", "stop"], served: [{ prompts: ["go"], index: 0 }] })).toBe(
      1,
    );
  });

  test("and so after a hang, whether the agent kept what the model had said or not", () => {
    const steps = [step(say("two halves"), hang()), say("after")];
    const kept = { answers: ["two"], prompts: ["go", "again"] };
    const dropped = { prompts: ["go", "again"], served: [{ prompts: ["go"], index: 0 }] };
    expect(chosen(steps, kept)).toBe(1);
    expect(chosen(steps, dropped)).toBe(1);
  });
});

describe("failures before an answer", () => {
  test("are behind us once the answer is in the history", () => {
    expect(chosen([fail(500), { ...fail(429), repeat: 2 }, say("a"), say("b")], { answers: ["a"] })).toBe(4);
  });
});
