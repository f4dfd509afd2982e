import { readFileSync } from "node:fs";
import { createOpencodeState, type OpencodeState } from "../convert/opencode-state.ts";
import type { EventProperties, OpencodeEvent } from "../dialect.ts";
import { sessionRules } from "../permission-rules.ts";

/** What the real program said in one turn, without names of the machine it ran on; how each came about: */
export const recordings = [
  "interrupted", // in a command
  "interrupted-permission", // while a person is asked
  "patch", // a command changes a file of a repository
  "permissions", // a command allowed; then a command and a file at once, of which one is rejected, and so both
  "plan", // written, proposed and approved
  "questions", // two at once, answered; then one, declined
  "refused", // 401
  "retries", // the model fails, and its stream is cut, before it answers
  "subagent", // which asks for permission
  "tools", // reasoning, a command that fails, a file written, read and edited, an image, things to do, an unknown tool
  "unknown-model",
] as const;

export type Recording = (typeof recordings)[number];

/** The conversation of every recording. */
export const SESSION = "ses_001";

export function readRecording(name: Recording): OpencodeEvent[] {
  const lines = readFixture(`${name}.jsonl`).split("\n");
  return lines.filter(Boolean).map((raw) => {
    const { payload } = JSON.parse(raw) as { payload: { type: string; properties: EventProperties } };
    return { ...payload, raw };
  });
}

export function readFixture(name: string): string {
  return readFileSync(new URL(`./recordings/${name}`, import.meta.url), "utf8");
}

export function beginningState(changed: Partial<OpencodeState> = {}): OpencodeState {
  const setting = { itemPrefix: "i", directory: "/workspace", imagesDir: "/data/images", mcpServers: ["loud"] };
  return { ...createOpencodeState(setting), sessionId: SESSION, rules: sessionRules("default", []), ...changed };
}
