import { createHash } from "node:crypto";
import { type ModelAnswer, modelAnswer } from "../dialects/model-answer.ts";
import type { ParsedStep } from "../script/model-step.ts";
import type { ModelState } from "./model-state.ts";
import type { RecordedRequest } from "./recorded-request.ts";

type Question = Omit<RecordedRequest, keyof Answered>;

/** What the answering adds to a request. */
type Answered = Pick<RecordedRequest, "index" | "answeredBy" | "problems">;

/** Find the script's answer to a request, and put both on record. */
export function askScript(
  state: ModelState,
  question: Question,
): { readonly step: ParsedStep; readonly answer: ModelAnswer } {
  const { dialect, conversationId } = question;
  const play = state.player.play({ dialect, conversationId, request: question });
  const index = state.log.requests.length;
  const { source, name, index: stepIndex } = play;
  const answeredBy = { source, name, index: stepIndex };
  const recorded: RecordedRequest = { ...question, index, answeredBy, problems: play.problems };
  state.problems.push(...play.problems.map((problem) => `Request ${index}: ${problem}`));
  state.log.add(recorded);
  state.onRequest(recorded);
  const id = createHash("sha256")
    .update(JSON.stringify([conversationId, index, name, stepIndex]))
    .digest("hex")
    .slice(0, 20);
  return { step: play.step, answer: modelAnswer(play.step, id, question.model) };
}
