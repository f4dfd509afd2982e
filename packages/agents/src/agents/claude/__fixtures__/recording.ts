import { readFileSync } from "node:fs";
import type { EventDraft } from "@sandbox-agent-ts/protocol";
import type { TurnOutcome } from "../../../agent.ts";
import { beginTurn, type ClaudeState, createClaudeState } from "../convert/claude-state.ts";
import { convertLines } from "../convert/convert-lines.ts";

/** Of a session in the directory that the recordings name. */
export function newClaudeState(itemPrefix = "item-"): ClaudeState {
  const callSetting = { directory: "/home/user/project", mcpServers: [] };
  return createClaudeState({ itemPrefix, imagesDir: "/images", callSetting, session: { agentMode: "build" } });
}

/** What Claude Code 2.1.325 printed in one session, with its paths, ids and times made neutral. */
export function readRecording(name: string): string[] {
  const text = readFileSync(new URL(`recordings/${name}.jsonl`, import.meta.url), "utf8");
  return text.split("\n").filter((line) => line !== "");
}

export interface PlayedTurn {
  readonly drafts: EventDraft[];
  readonly outcome: TurnOutcome | undefined;
}

/** The turns of a recording as a session would play them, with what came after the last of them as one more. */
export function playRecording(lines: readonly string[]): { state: ClaudeState; turns: PlayedTurn[] } {
  const prompts = promptIds(lines);
  const turns: PlayedTurn[] = [];
  let state = newClaudeState();
  let rest = lines;
  while (rest.length > 0) {
    const promptId = prompts[turns.length];
    if (promptId !== undefined) state = beginTurn(state, promptId);
    const converted = convertLines(state, rest);
    turns.push({ drafts: converted.drafts, outcome: converted.outcome });
    state = converted.state;
    rest = converted.rest;
  }
  return { state, turns };
}

const queued = /"command_uuid":"([^"]+)","state":"queued"/;

function promptIds(lines: readonly string[]): string[] {
  return lines.flatMap((line) => queued.exec(line)?.[1] ?? []);
}
