import type { AcpToolDescription } from "../../acp/acp-agent.ts";
import type { AcpToolCall } from "../../acp/dialect.ts";

const kinds: Readonly<Record<string, string>> = {
  shell: "execute",
  write: "edit",
  edit: "edit",
  tree: "read",
  analyze: "read",
  read_image: "read",
  load: "read",
  load_skill: "read",
};

/** Goose gives every tool the kind `other` until it runs; which tool it is stands beside the call. */
export function describeTool({ _meta, title }: AcpToolCall): AcpToolDescription {
  const { toolName, extensionName } = toolOf(_meta);
  const name = toolName ?? title?.split(" · ")[0];
  if (name === undefined) return {};
  const kind = extensionName === undefined || extensionName === "developer" ? kinds[name] : undefined;
  return {
    name,
    ...(kind === undefined ? {} : { kind }),
    ...(extensionName === undefined ? {} : { mcpServer: extensionName }),
  };
}

/** It only looks. Of what an MCP server has, which is named with the server, nothing is known. */
export function isHarmless(tool: string): boolean {
  return kinds[tool] === "read";
}

/** Which tool a call is of, as Goose tells it beside the call. */
export function toolOf(meta: AcpToolCall["_meta"]): { toolName?: string; extensionName?: string } {
  const { toolCall } = (meta?.goose ?? {}) as { toolCall?: { toolName?: string; extensionName?: string } };
  return toolCall ?? {};
}
