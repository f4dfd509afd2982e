import { expect, test } from "vitest";
import type { QuestionRequestedData } from "../api-types.ts";
import { answersFor } from "./answers.ts";

const question = (prompt: string, ...labels: string[]) => ({
  prompt,
  options: labels.map((label) => ({ label })),
  multi_select: false,
});
const one: QuestionRequestedData = { question_id: "q", prompt: "A?", options: ["x", "y"], status: "requested" };
const two: QuestionRequestedData = { ...one, questions: [question("A?", "x", "y"), question("B?", "z")] };

test("there is an array for every question, whatever is chosen", () => {
  expect(answersFor(one, "y")).toEqual([["y"]]);
  expect(answersFor(two, "y")).toEqual([["y"], []]);
  expect(answersFor(two, ["y", "z"])).toEqual([["y"], ["z"]]);
  expect(answersFor(two, [["x", "y"], ["z"]])).toEqual([["x", "y"], ["z"]]);
  expect(answersFor(two, ({ options }) => options[0]?.label)).toEqual([["x"], ["z"]]);
  expect(answersFor(two, ({ prompt }) => (prompt === "A?" ? null : ["z"]))).toEqual([[], ["z"]]);
});
