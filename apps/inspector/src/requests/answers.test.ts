import type { Question } from "@sandbox-agent-ts/protocol";
import { expect, test } from "vitest";
import { answersOf, isAnswered, noChoice, questionsOf, toggleLabel, writeOther } from "./answers.ts";

const one: Question = { prompt: "One?", options: [{ label: "a" }, { label: "b" }], multi_select: false };
const many: Question = {
  prompt: "Many?",
  options: [{ label: "x" }, { label: "y" }, { label: "z" }],
  multi_select: true,
};

test("of one question one label or own words, of the other several and own words", () => {
  const first = writeOther(toggleLabel(toggleLabel(noChoice, "a", one), "b", one), "mine", one);
  expect(first).toEqual({ labels: [], other: "mine" });
  expect(toggleLabel(first, "a", one)).toEqual({ labels: ["a"], other: "" });
  const second = ["z", "x", "y", "y"].reduce((choice, label) => toggleLabel(choice, label, many), noChoice);
  expect(answersOf([one, many], [first, writeOther(second, " w ", many)])).toEqual([["mine"], ["x", "z", "w"]]);
});

test("spaces are no answer, a question nobody touched is an empty list", () => {
  expect(isAnswered({ labels: [], other: "  " })).toBe(false);
  expect(answersOf([one, many], [noChoice])).toEqual([[], []]);
});

test("a request of the old kind is one question", () => {
  const old = { question_id: "q", prompt: "Which?", options: ["a", "b"], status: "requested" as const };
  expect(questionsOf(old)).toEqual([
    { prompt: "Which?", options: [{ label: "a" }, { label: "b" }], multi_select: false },
  ]);
});
