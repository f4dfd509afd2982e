import type { ToolAsk } from "../dialect.ts";

const LONGEST_ACTION = 500;

/** What the agent wants to do, as a sentence for a person. */
export function describeUse(ask: Partial<ToolAsk>): string {
  const { tool_name = "a tool", input = {} } = ask;
  const sentence = describe(tool_name, input) ?? `Use ${tool_name}${ask.description ? `: ${ask.description}` : ""}`;
  return sentence.length > LONGEST_ACTION ? `${sentence.slice(0, LONGEST_ACTION)}…` : sentence;
}

function describe(tool: string, input: Record<string, unknown>): string | undefined {
  const path = input.file_path ?? input.notebook_path;
  switch (tool) {
    case "Bash":
      return `Run the command ${String(input.command)}`;
    case "Write":
      return `Write the file ${String(path)}`;
    case "Edit":
    case "MultiEdit":
    case "NotebookEdit":
      return `Edit the file ${String(path)}`;
    case "Read":
      return `Read the file ${String(path)}`;
    case "WebFetch":
      return `Fetch ${String(input.url)}`;
    case "WebSearch":
      return `Search the web for ${String(input.query)}`;
    default:
      return describeMcp(tool);
  }
}

function describeMcp(tool: string): string | undefined {
  const [, server, name] = /^mcp__(.+?)__(.+)$/.exec(tool) ?? [];
  return server === undefined ? undefined : `Use the tool ${name} of the MCP server ${server}`;
}

/** The same tool with the same input. */
export function useKey(ask: Partial<ToolAsk>): string {
  return JSON.stringify([ask.tool_name, ask.input]);
}
