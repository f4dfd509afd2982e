import type { ContentPart } from "@sandbox-agent-ts/protocol";

/** More than this is not shown while a command runs: its result has it. */
const MAX_LIVE_OUTPUT = 64 * 1024;

/** What is still shown of the next piece. */
export function roomFor(shown: string, piece: string): string {
  return piece.slice(0, Math.max(0, MAX_LIVE_OUTPUT - shown.length));
}

/**
 * A status under the call, and not the beginning of its result: what is printed right at the start never comes as a
 * delta, so the result is seldom what the deltas spell.
 */
export function liveContent(text: string): ContentPart[] {
  return [
    { type: "status", label: "Output so far" },
    { type: "text", text },
  ];
}
