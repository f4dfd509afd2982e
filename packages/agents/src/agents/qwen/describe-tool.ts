import type { AcpToolDescription } from "../../acp/acp-agent.ts";
import type { AcpPermissionOption, AcpToolCall } from "../../acp/dialect.ts";

/** Qwen Code tells the name of a tool beside the call, and not at all while it asks. */
export function describeTool({ _meta, name }: AcpToolCall): AcpToolDescription {
  const told = (_meta as { toolName?: unknown } | null | undefined)?.toolName ?? name;
  return typeof told === "string" ? { name: told } : {};
}

const toolsOfKinds: Readonly<Record<string, string>> = {
  execute: "run_shell_command",
  fetch: "web_fetch",
  switch_mode: "exit_plan_mode",
};

/**
 * Which tool a request is about, from what the program itself says: the kind, and the options it offers. Never from the
 * input, which the model writes. Pure.
 */
export function nameRequestedTool(call: AcpToolCall, options: readonly AcpPermissionOption[]): AcpToolCall {
  const name = call.name ?? nameOf(call, options);
  if (name === "agent") return { ...call, name, title: `Start a subagent, which edits files unasked: ${call.title}` };
  return name === undefined ? call : { ...call, name };
}

function nameOf({ kind, rawInput }: AcpToolCall, options: readonly AcpPermissionOption[]): string | undefined {
  if (kind === "think" && options.some(({ name }) => name === "Submit")) return "ask_user_question";
  if (kind === "edit") return "old_string" in ((rawInput ?? {}) as object) ? "edit" : "write_file";
  if (kind !== "other") return toolsOfKinds[kind ?? ""];
  // Of a tool of an MCP server the options have the name.
  const names = options.map(({ name = "" }) => /^Always Allow in project: (.+)$/s.exec(name)?.[1]);
  return names.find((found) => found !== undefined);
}
