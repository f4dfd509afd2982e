import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { expectPiecewise } from "../../contract/expect-piecewise.ts";
import { expectWholeTurn } from "../../contract/expect-whole-turn.ts";
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
      const { state, drafts } = convertCalls(beginningState(quirks), calls);
      expectWholeTurn([...drafts, ...endTurn(state, end, interrupted).drafts]);
    });

    test("is the same call by call, and changes no state it was given", () => {
      expectPiecewise(calls, { begin: () => beginningState(quirks), convert: convertCalls });
    });
  });
}
