import type { Question } from "@sandbox-agent-ts/protocol";
import type { Scenario } from "../scenario.ts";

const questions: [Question, Question] = [
  {
    header: "Colour",
    prompt: "Which colour should the button have?",
    options: [
      { label: "Blue", description: "Calm" },
      { label: "Red", description: "Loud" },
    ],
    multi_select: false,
  },
  {
    header: "Places",
    prompt: "Where should the button appear?",
    options: [{ label: "Header" }, { label: "Footer" }, { label: "Sidebar" }],
    multi_select: true,
  },
];

/** One request with two questions, the second with several answers. */
export const question: Scenario = async (stage) => {
  const call = stage.startTool("AskUserQuestion", { questions: questions.map(({ prompt }) => prompt) });
  const answers = await stage.askQuestion(questions, call);
  stage.finishTool(call, { output: answers === null ? "Declined" : "Answered", failed: answers === null });
  if (answers === null) {
    await stage.say("You declined to answer, so I decide nothing.");
    return undefined;
  }
  const lines = questions.map(({ header }, at) => `${header}: ${answers[at]?.join(", ") || "no answer"}`);
  await stage.say(`You chose\n${lines.join("\n")}`);
  return undefined;
};
