import type { AcpToolDescription } from "../../acp/acp-agent.ts";
import type { AcpToolCall } from "../../acp/dialect.ts";

const toolsOfKinds: Readonly<Record<string, string>> = {
  execute: "bash",
  edit: "apply_patch",
  read: "view",
  fetch: "web_fetch",
};

/** What only one tool of no known kind is given. */
const tellingInputs: readonly (readonly [field: string, name: string])[] = [
  ["agent_type", "task"],
  ["query", "sql"],
];

/** Copilot titles a call for people and names its tool nowhere; but it tells the kind, and tools without one differ in their input. */
export function describeTool({ kind, name, rawInput }: AcpToolCall): AcpToolDescription {
  const input = typeof rawInput === "object" && rawInput !== null ? rawInput : {};
  const known = toolsOfKinds[kind ?? ""] ?? name ?? tellingInputs.find(([field]) => field in input)?.[1];
  const { diff } = input as { diff?: unknown };
  return {
    ...(known === undefined ? {} : { name: known }),
    ...(kind === "edit" && typeof diff === "string" ? { diff: diff.trimStart() } : {}),
  };
}

/** Each file of a diff; its paths are absolute, behind an `a` and a `b`. */
const changedFile = /^diff --git .*\n(?:[a-z].*\n)*--- a(.*)\n\+\+\+ b(.*)$/gm;

/** A request to change files has a diff of ours to read instead of the input of the call: which file becomes which. Pure. */
export function describeRequest(call: AcpToolCall): AcpToolCall {
  const { diff } = (call.rawInput ?? {}) as { diff?: unknown };
  if (call.kind !== "edit" || typeof diff !== "string") return call;
  const changes = [...diff.matchAll(changedFile)].map(([, before = "", after = ""]) => changeOf(before, after));
  if (changes.length === 0) return call;
  const locations = changes.flatMap(({ path, move_path }) => [{ path }, ...(move_path ? [{ path: move_path }] : [])]);
  return { ...call, locations, rawInput: { ...(call.rawInput as object), changes } };
}

const NOTHING = "/dev/null";

function changeOf(before: string, after: string): { type: string; path: string; move_path?: string } {
  if (after === NOTHING) return { type: "delete", path: before };
  if (before === NOTHING) return { type: "add", path: after };
  return { type: "update", path: before, ...(before === after ? {} : { move_path: after }) };
}
