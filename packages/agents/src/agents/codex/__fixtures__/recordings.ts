import { readFileSync } from "node:fs";
import { type JsonRpcCall, parseJsonRpc } from "../../../json-rpc/json-rpc-message.ts";
import { type CodexState, createCodexState } from "../convert/codex-state.ts";

/** What the real program said in one turn, without names of the machine it ran on; how each came about: */
export const recordings = [
  "approvals", // two commands and two patches, answered accept, decline, acceptForSession, decline
  "background", // a command that outlives its turn
  "cut-stream", // the model's stream breaks twice, and that is it
  "interrupted", // in a command, whose shell is ended afterwards
  "interrupted-approval", // while a person is asked
  "mcp", // a tool allowed, one rejected, one that gives an image; then an image file
  "questions", // two at once, in plan mode, and a plan
  "refused", // 401
  "subagent", // which works on when the turn that started it has ended
  "tools", // reasoning, a command that fails, a file added, moved and deleted, a list of things to do
] as const;

export type Recording = (typeof recordings)[number];

/** The thread of every recording. */
export const THREAD = "00000000-0000-7000-8000-000000000001";

export function readRecording(name: Recording): JsonRpcCall[] {
  const text = readFileSync(new URL(`./recordings/${name}.jsonl`, import.meta.url), "utf8");
  return text.split("\n").flatMap((line) => {
    const message = line === "" ? undefined : parseJsonRpc(line);
    return message && "call" in message ? [message.call] : [];
  });
}

export function beginningState(setting: Partial<CodexState["setting"]> = {}): CodexState {
  const calls = { directory: "/workspace", mcpServers: [] };
  const defaults = { itemPrefix: "i", calls, permissionMode: "default", imagesDir: "/data/images" };
  return { ...createCodexState({ ...defaults, ...setting } as CodexState["setting"]), threadId: THREAD };
}
