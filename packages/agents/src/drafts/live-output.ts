import type { ContentPart } from "@sandbox-agent-ts/protocol";

export const liveOutputLabel = "Output so far";

/** More than this is not shown while a command runs: its result has it. */
const MAX_LIVE_OUTPUT = 64 * 1024;

/** So much of an end is not repeated by chance. */
const OVERLAP = 256;

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
    { type: "status", label: liveOutputLabel },
    { type: "text", text },
  ];
}

/** What is new in an output that is told from its beginning each time, or only with its end once it is long. */
export function newOutput(before: string, now: string): string {
  if (now.startsWith(before)) return now.slice(before.length);
  const end = before.slice(-OVERLAP);
  const at = now.lastIndexOf(end);
  return at === -1 ? now : now.slice(at + end.length);
}
