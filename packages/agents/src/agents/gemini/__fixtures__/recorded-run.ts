import { existsSync, readFileSync } from "node:fs";
import { type JsonRpcCall, parseJsonRpc } from "../../../json-rpc/json-rpc-message.ts";

/** What Gemini CLI 0.61.0 printed in one turn, and what it kept of it, with paths, ids and times made neutral. */
export interface RecordedRun {
  readonly calls: readonly JsonRpcCall[];
  readonly chat: string;
  /** What its subagent kept. */
  readonly companions: readonly { readonly path: string; readonly text: string }[];
}

export function recordedRun(name: string): RecordedRun {
  const companion = new URL(`chats/${name}.companion.jsonl`, import.meta.url);
  const messages = read(`recordings/${name}.jsonl`)
    .split("\n")
    .flatMap((line) => parseJsonRpc(line) ?? []);
  return {
    calls: messages.flatMap((message) => ("call" in message ? [message.call] : [])),
    chat: read(`chats/${name}.jsonl`),
    companions: existsSync(companion) ? [{ path: "s/a.jsonl", text: readFileSync(companion, "utf8") }] : [],
  };
}

function read(path: string): string {
  return readFileSync(new URL(path, import.meta.url), "utf8");
}
