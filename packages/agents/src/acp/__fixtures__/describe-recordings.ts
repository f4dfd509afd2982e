import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expectPiecewise } from "../../contract/expect-piecewise.ts";
import { expectWholeTurn } from "../../contract/expect-whole-turn.ts";
import { type JsonRpcCall, parseJsonRpc } from "../../json-rpc/json-rpc-message.ts";
import type { AcpQuirks } from "../acp-agent.ts";
import { type AcpState, beginConversation, beginTurn, createAcpState } from "../convert/acp-state.ts";
import { answerOutsideTurn, cancelRequests } from "../convert/answers.ts";
import type { Converted } from "../convert/conversion.ts";
import { convertCalls } from "../convert/convert-calls.ts";
import { endTurn, type PromptEnd } from "../convert/end-turn.ts";
import type { AcpPromptResult } from "../dialect.ts";
import { conformCall, conformReply } from "../dialect-shapes.ts";
import { spoiled } from "./spoil.ts";

interface Recording {
  readonly calls: readonly JsonRpcCall[];
  readonly end: PromptEnd;
}

/** What a real program printed in one turn, up to and with its answer to the prompt. */
function readRecording(file: URL): Recording {
  const messages = readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line) => parseJsonRpc(line) ?? []);
  const calls = messages.flatMap((message) => ("call" in message ? [message.call] : []));
  const reply = messages.flatMap((message) => ("reply" in message ? [message.reply] : [])).at(-1);
  const { code = 0, message = "", data } = reply?.error ?? {};
  const end = reply?.error ? { error: { code, message, data } } : { result: (reply?.result ?? {}) as AcpPromptResult };
  return { calls, end };
}

export function beginningState(quirks: AcpQuirks, setting: Partial<AcpState["setting"]> = {}): AcpState {
  const state = createAcpState({
    itemPrefix: "i",
    directory: "/workspace",
    mcpServers: [],
    permissionMode: "default",
    modeAfterPlan: "default",
    imageDir: "/data/images",
    agentName: "The agent",
    quirks,
    ...setting,
  });
  return beginTurn(beginConversation(state, {}, true));
}

function said(text: string): JsonRpcCall {
  const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text }, messageId: text };
  return { method: "session/update", params: { sessionId: "s", update }, raw: JSON.stringify({ params: { update } }) };
}

/** The answer to the prompt in the form of a call, to be spoiled like one. */
function answerOf(end: PromptEnd): JsonRpcCall {
  return { method: "session/prompt", params: "result" in end ? end.result : end.error, raw: "{}" };
}

function endOf({ params }: JsonRpcCall): PromptEnd {
  return { result: (conformReply("session/prompt", params) ?? {}) as AcpPromptResult };
}

/** As in the recording, where a person answered each request before the agent went on. */
function convertAnswered(
  beginning: AcpState,
  calls: readonly JsonRpcCall[],
): Pick<Converted, "state" | "drafts" | "answers"> {
  let state = beginning;
  const converted = calls.map((call) => {
    const one = convertCalls(state, [call]);
    ({ state } = cancelRequests(one.state));
    return one;
  });
  return {
    state,
    drafts: converted.flatMap(({ drafts }) => drafts),
    answers: converted.flatMap(({ answers }) => answers),
  };
}

/** What all recordings of an agent have to keep, and what becomes of them, as snapshots beside the test. */
export function describeRecordings(folder: URL, quirks: AcpQuirks): void {
  const names = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));

  describe.each(names)("the recording %s", (name) => {
    const { calls, end } = readRecording(new URL(name, folder));
    const interrupted = name.startsWith("interrupted");

    test("random JSON in any place breaks no rule of the stream and loses nothing around it", () => {
      fc.assert(
        fc.property(spoiled([...calls, answerOf(end)]), fc.boolean(), ({ at, calls: odd }, answersAll) => {
          const [answer] = odd.splice(-1);
          const around = odd.toSpliced(at, 0, said("the word before")).toSpliced(at + 2, 0, said("the word after"));
          const convert = answersAll ? convertAnswered : convertCalls;
          const { state, drafts, answers } = convert(beginningState(quirks), around.map(conformCall));
          const ended = endTurn(state, endOf(answer!), interrupted);
          expectWholeTurn([...drafts, ...ended.drafts]);
          const told = JSON.stringify(drafts.filter(({ type }) => type === "item.delta"));
          expect(told).toContain("the word before");
          expect(told).toContain("the word after");
          const answered = [...answers, ...ended.answers].map(({ id }) => id);
          const waiting = odd.flatMap(({ id, method }) => (answerOutsideTurn(method) ? (id ?? []) : []));
          if (!answersAll && !interrupted) expect(answered.toSorted()).toEqual(waiting.toSorted());
        }),
        { numRuns: 30 },
      );
    });

    test("becomes these events", async () => {
      const { state, drafts, answers } = convertAnswered(beginningState(quirks), calls);
      const ended = endTurn(state, end, interrupted);
      const told = [...drafts, ...ended.drafts].map(({ type, data }) => `${type} ${JSON.stringify(data)}`);
      const lines = [...told, ...answers.map((answer) => `answered ${JSON.stringify(answer)}`)];
      const text = [...lines, `=> ${JSON.stringify(ended.outcome)}`, ""].join("\n");
      await expect(text).toMatchFileSnapshot(new URL(name.replace(".jsonl", ".events.txt"), folder).pathname);
    });

    test("keeps the schema and the invariants of a stream", () => {
      const { state, drafts } = convertCalls(beginningState(quirks), calls);
      expectWholeTurn([...drafts, ...endTurn(state, end, interrupted).drafts]);
    });

    test("is the same call by call, and changes no state it was given", () => {
      expectPiecewise(calls, { begin: () => beginningState(quirks), convert: convertCalls });
    });
  });
}
