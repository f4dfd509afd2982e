import { expect, test } from "vitest";
import { answerYes, chosenLabels, permissionReply } from "./request-answers.ts";

test.each([
  ["y", { reply: "once" }],
  [" Yes ", { reply: "once" }],
  ["a", { reply: "always" }],
  ["always", { reply: "always" }],
  ["n", { reply: "reject" }],
  ["No", { reply: "reject" }],
  ["no, use npm ci", { reply: "reject", reason: "use npm ci" }],
  ["n: not here", { reply: "reject", reason: "not here" }],
  ["next time", { reply: "reject", reason: "next time" }],
  ["use the other file", { reply: "reject", reason: "use the other file" }],
  ["", undefined],
  ["   ", undefined],
])("%j", (line, reply) => {
  expect(permissionReply(line)).toEqual(reply);
});

const options = [{ label: "Red" }, { label: "Green" }];

test.each([
  ["1", false, ["Red"]],
  ["green", false, ["Green"]],
  ["3", false, ["3"]],
  ["neither of them", false, ["neither of them"]],
  ["1, 2", true, ["Red", "Green"]],
  ["1 blue", true, ["1 blue"]],
  ["", false, []],
])("the answer %j (several: %s)", (line, multi_select, labels) => {
  expect(chosenLabels(line, { prompt: "Which?", options, multi_select })).toEqual(labels);
});

test("--yes takes the first option of every question", async () => {
  const question = {
    question_id: "q",
    prompt: "Which?",
    options: ["Red"],
    status: "requested",
    questions: [
      { prompt: "Which?", options, multi_select: false },
      { prompt: "Why?", options: [], multi_select: false },
    ],
  } as const;
  const asked = {
    ...question,
    options: [...question.options],
    questions: [...question.questions].map((part) => ({ ...part, options: [...part.options] })),
  };
  expect(await answerYes.answer(asked, new AbortController().signal)).toEqual([["Red"], []]);
});
