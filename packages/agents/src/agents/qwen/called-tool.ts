import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { AcpPlace } from "../../acp/acp-agent.ts";

/** The program writes down what its model said while it asks. */
const RECORD_TIMEOUT_MS = 2_000;
const LOOK_AGAIN_MS = 10;

interface ChatRecord {
  readonly message?: {
    readonly parts?: readonly { readonly functionCall?: { readonly id?: string; readonly name?: string } }[];
  };
}

/** The name by which the model called a tool, from the file of the conversation; `undefined` when it is not there. */
export async function calledTool(place: AcpPlace, sessionId: string, callId: string): Promise<string | undefined> {
  const until = Date.now() + RECORD_TIMEOUT_MS;
  while (true) {
    const name = await findCall(chatFile(place, sessionId), callId);
    if (name !== undefined || Date.now() > until) return name;
    await sleep(LOOK_AGAIN_MS);
  }
}

function chatFile({ env, session }: AcpPlace, sessionId: string): string {
  const home = env.QWEN_RUNTIME_DIR || env.QWEN_HOME || join(env.HOME || homedir(), ".qwen");
  const project = session.directory.replaceAll(/[^a-zA-Z0-9]/g, "-");
  return join(home, "projects", project, "chats", `${sessionId}.jsonl`);
}

async function findCall(file: string, callId: string): Promise<string | undefined> {
  const text = await readFile(file, "utf8").catch(() => "");
  for (const line of text.split("\n").toReversed()) {
    if (!line.includes(callId)) continue;
    const called = (parse(line).message?.parts ?? []).find(({ functionCall }) => functionCall?.id === callId);
    if (called?.functionCall?.name) return called.functionCall.name;
  }
  return undefined;
}

function parse(line: string): ChatRecord {
  try {
    return JSON.parse(line) as ChatRecord;
  } catch {
    return {};
  }
}
