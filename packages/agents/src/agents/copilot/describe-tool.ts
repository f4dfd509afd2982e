import type { AcpToolDescription } from "../../acp/acp-agent.ts";
import type { AcpToolCall } from "../../acp/dialect.ts";

/** What only one tool is given. */
const tellingInputs: readonly (readonly [field: string, name: string])[] = [
  ["command", "bash"],
  ["agent_type", "task"],
  ["query", "sql"],
];

/** Copilot titles a call for people and names its tool nowhere; but tools differ in what they are given. */
export function describeTool({ kind, rawInput }: AcpToolCall): AcpToolDescription {
  if (kind === "edit") return { name: "apply_patch" };
  if (kind === "read") return { name: "view" };
  const input = typeof rawInput === "object" && rawInput !== null ? rawInput : {};
  const name = tellingInputs.find(([field]) => field in input)?.[1];
  return name === undefined ? {} : { name };
}
