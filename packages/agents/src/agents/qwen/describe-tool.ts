import type { AcpToolDescription } from "../../acp/acp-agent.ts";
import type { AcpToolCall } from "../../acp/dialect.ts";

/** What only one tool is given: the first word about a call that needs permission says no name. */
const tellingInputs: readonly (readonly [field: string, name: string])[] = [
  ["command", "run_shell_command"],
  ["old_string", "edit"],
  ["content", "write_file"],
  ["questions", "ask_user_question"],
  ["plan", "exit_plan_mode"],
];

/** Qwen Code tells the name of a tool beside the call, and not at all while it asks. */
export function describeTool({ _meta, rawInput }: AcpToolCall): AcpToolDescription {
  const told = (_meta as { toolName?: unknown } | null | undefined)?.toolName;
  if (typeof told === "string") return { name: told };
  const input = typeof rawInput === "object" && rawInput !== null ? rawInput : {};
  const name = tellingInputs.find(([field]) => field in input)?.[1];
  return name === undefined ? {} : { name };
}
