import type { ToolUse } from "./permission-policy.ts";

const LONGEST_ACTION = 500;

/** What Amp wants to do, as a sentence for a person. */
export function describeUse(use: ToolUse): string {
  const sentence = describe(use);
  return sentence.length > LONGEST_ACTION ? `${sentence.slice(0, LONGEST_ACTION)}…` : sentence;
}

function describe({ tool, input }: ToolUse): string {
  const command = input.command ?? input.cmd;
  if (typeof command === "string") return `Run the command ${command}`;
  if (tool === "apply_patch") return patchSentence(input);
  if (tool === "create_file") return `Write the file ${String(input.path)}`;
  if (tool === "edit_file") return `Edit the file ${String(input.path)}`;
  if (typeof input.url === "string") return `Fetch ${input.url}`;
  const [, server, name] = /^mcp__(.+?)__(.+)$/.exec(tool) ?? [];
  return server === undefined ? `Use ${tool}` : `Use the tool ${name} of the MCP server ${server}`;
}

const verbs: Readonly<Record<string, string>> = { Add: "Write", Update: "Edit", Delete: "Delete" };

function patchSentence(input: ToolUse["input"]): string {
  const patch = Object.values(input).find((value) => typeof value === "string") ?? "";
  const lines = Array.from(String(patch).matchAll(/^\*\*\* (Add|Update|Delete) File: (.+?)\s*$/gm));
  const changes = lines.map(([, kind = "", file = ""]) => `${verbs[kind]} the file ${file}`);
  return changes.join(", ") || "Change files";
}

/** The same tool with the same input. */
export function useKey({ tool, input }: ToolUse): string {
  return JSON.stringify([tool, Object.entries(input).sort(([one], [other]) => one.localeCompare(other))]);
}
