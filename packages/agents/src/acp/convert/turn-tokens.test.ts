/** Feared: tokens that are counted twice, or of another turn. */
import { expect, test } from "vitest";
import type { JsonRpcCall } from "../../json-rpc/json-rpc-message.ts";
import { beginningState } from "../__fixtures__/describe-recordings.ts";
import type { AcpQuirks } from "../acp-agent.ts";
import { type AcpState, beginTurn } from "./acp-state.ts";
import { answerQuestion } from "./answers.ts";
import { convertCalls } from "./convert-calls.ts";
import { endTurn } from "./end-turn.ts";

const tokens = (inputTokens: number, outputTokens: number) => ({ inputTokens, outputTokens });

function toldBeside(usage: object): JsonRpcCall {
  const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "" }, _meta: { usage } };
  return { method: "session/update", params: { update }, raw: "" };
}

function turn(state: AcpState, beside: readonly object[], usage?: object) {
  const { state: told } = convertCalls(beginTurn(state), beside.map(toldBeside));
  const ended = endTurn(told, { result: usage ? { usage } : {} }, false);
  return { state: ended.state, usage: ended.outcome.usage };
}

function twoTurns(quirks: AcpQuirks, first: Parameters<typeof turn>, second: Parameters<typeof turn>) {
  const one = turn(beginningState(quirks), first[1], first[2]);
  return [one.usage, turn(one.state, second[1], second[2]).usage];
}

const any = beginningState({});
const used = (input_tokens: number, output_tokens: number) => ({ input_tokens, output_tokens });

test("those of the turn are taken as they are told", () => {
  expect(twoTurns({}, [any, [], tokens(10, 1)], [any, [], tokens(30, 3)])).toEqual([used(10, 1), used(30, 3)]);
  expect(twoTurns({}, [any, [tokens(1, 1), tokens(10, 1)]], [any, []])).toEqual([used(10, 1), undefined]);
});

test("those of single requests are added up, for each turn anew", () => {
  const quirks = { countsTokens: "byRequest" } as const;
  const first = [tokens(10, 1), { ...tokens(20, 2), thoughtTokens: 5 }];
  expect(twoTurns(quirks, [any, first], [any, [tokens(7, 7)]])).toEqual([
    { ...used(30, 3), reasoning_tokens: 5 },
    used(7, 7),
  ]);
});

test("of single requests the answer tells only the last, which counts where nothing else was told and no tool was used", () => {
  const state = beginningState({ countsTokens: "byRequest" });
  expect(turn(state, [tokens(10, 1), tokens(20, 2)], tokens(20, 2)).usage).toEqual(used(30, 3));
  expect(turn(state, [], tokens(20, 2)).usage).toEqual(used(20, 2));
  const update = { sessionUpdate: "tool_call", toolCallId: "c", status: "completed" };
  const { state: acted } = convertCalls(beginTurn(state), [{ method: "session/update", params: { update }, raw: "" }]);
  expect(endTurn(acted, { result: { usage: tokens(20, 2) } }, false).outcome.usage).toBeUndefined();
});

test("of those of the whole conversation the earlier turns are taken away, also over a turn that told none", () => {
  const quirks = { countsTokens: "sinceOpened" } as const;
  const one = turn(beginningState(quirks), [], tokens(10, 1));
  const silent = turn(one.state, []);
  const three = turn(silent.state, [], tokens(30, 3));
  expect([one.usage, silent.usage, three.usage]).toEqual([used(10, 1), undefined, used(20, 2)]);
});

test("a question that is asked as a permission is answered as one, with what was chosen", () => {
  const quirks: AcpQuirks = {
    readQuestions: ({ title }) => [{ prompt: title ?? "", options: [{ label: "A" }], multi_select: false }],
    tellAnswers: (answers) => ({ chosen: answers }),
  };
  const options = [
    { optionId: "yes", kind: "allow_once" },
    { optionId: "no", kind: "reject_once" },
  ];
  const params = { toolCall: { toolCallId: "c", title: "Which?" }, options };
  const { state, drafts } = convertCalls(beginningState(quirks), [
    { method: "session/request_permission", params, id: 0, raw: "" },
  ]);
  expect(drafts.at(-1)).toMatchObject({ type: "question.requested", data: { prompt: "Which?", options: ["A"] } });
  const id = [...state.requests.keys()][0]!;
  const selected = (optionId: string) => ({ outcome: { outcome: "selected", optionId } });
  expect(answerQuestion(state, id, [["A"]]).answers).toEqual([
    { id: 0, result: { ...selected("yes"), chosen: [["A"]] } },
  ]);
  expect(answerQuestion(state, id, null).answers).toEqual([{ id: 0, result: selected("no") }]);
});
