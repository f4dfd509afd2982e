import { readdirSync, readFileSync } from "node:fs";
import { checkSchema, checkStream, type EventDraft } from "@sandbox-agent/protocol";
import { describe, expect, test } from "vitest";
import { closingDrafts, daemonDraft, userMessage } from "../../contract/daemon-drafts.ts";
import { HarnessLog } from "../../contract/harness-log.ts";
import { type JsonRpcCall, parseJsonRpc } from "../../json-rpc/json-rpc-message.ts";
import type { AcpQuirks } from "../acp-agent.ts";
import { type AcpState, beginConversation, beginTurn, createAcpState } from "../convert/acp-state.ts";
import { convertCalls } from "../convert/convert-calls.ts";
import { endTurn, type PromptEnd } from "../convert/end-turn.ts";
import type { AcpPromptResult } from "../dialect.ts";

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
    permissionMode: "default",
    modeAfterPlan: "default",
    leftPlanMode: false,
    imageDir: "/data/images",
    agentName: "The agent",
    quirks,
    ...setting,
  });
  return beginTurn(beginConversation(state, {}, true));
}

/** What all recordings of an agent have to keep, and what becomes of them, as snapshots beside the test. */
export function describeRecordings(folder: URL, quirks: AcpQuirks): void {
  const names = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));

  describe.each(names)("the recording %s", (name) => {
    const { calls, end } = readRecording(new URL(name, folder));
    const interrupted = name.startsWith("interrupted");

    test("becomes these events", async () => {
      const { state, drafts, answers } = convertCalls(beginningState(quirks), calls);
      const ended = endTurn(state, end, interrupted);
      const told = [...drafts, ...ended.drafts].map(({ type, data }) => `${type} ${JSON.stringify(data)}`);
      const lines = [...told, ...answers.map((answer) => `answered ${JSON.stringify(answer)}`)];
      const text = [...lines, `=> ${JSON.stringify(ended.outcome)}`, ""].join("\n");
      await expect(text).toMatchFileSnapshot(new URL(name.replace(".jsonl", ".events.txt"), folder).pathname);
    });

    test("keeps the schema and the invariants of a stream", () => {
      const log = new HarnessLog("s1");
      const { state, drafts } = convertCalls(beginningState(quirks), calls);
      log.append([
        daemonDraft("session.started", {}),
        daemonDraft("turn.started", { phase: "started", turn_id: "t1" }),
        ...userMessage("u1", "do it"),
        ...drafts,
        ...endTurn(state, end, interrupted).drafts,
      ]);
      const ended = daemonDraft("turn.ended", { phase: "ended", turn_id: "t1", metadata: { reason: "completed" } });
      log.append([...closingDrafts(log.state), ended]);
      expect(checkStream(log.events)).toEqual([]);
      expect(checkSchema(log.events)).toEqual([]);
    });

    test("is the same call by call, and changes no state it was given", () => {
      const start = beginningState(quirks);
      const whole = convertCalls(start, calls);
      let state = start;
      const drafts = calls.flatMap((call): readonly EventDraft[] => {
        const converted = convertCalls(state, [call]);
        state = converted.state;
        return converted.drafts;
      });
      expect(drafts).toEqual(whole.drafts);
      expect(state).toEqual(whole.state);
      expect(start).toEqual(beginningState(quirks));
    });
  });
}
