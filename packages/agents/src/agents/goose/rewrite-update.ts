import type { AcpUpdate } from "../../acp/dialect.ts";
import { toolOf } from "./describe-tool.ts";

interface SubagentRequest {
  readonly type?: string;
  readonly tool_call?: { readonly name?: string; readonly arguments?: unknown };
}

/** What Goose tells beside a call: the tools that a subagent uses, and what it has still to do; and in updates of its own. */
export function rewriteUpdate(update: AcpUpdate): readonly AcpUpdate[] {
  if (update.sessionUpdate === "message_usage") return [tokensOfRequest(update)];
  return [update, ...subagentUse(update), ...todoList(update)];
}

function tokensOfRequest(update: AcpUpdate): AcpUpdate {
  const { usage = {} } = update as { usage?: { cacheReadTokens?: number } | null };
  return { sessionUpdate: "usage_update", _meta: { usage: { ...usage, cachedReadTokens: usage?.cacheReadTokens } } };
}

/** Of a subagent no more is told than this. */
function subagentUse({ _meta, toolCallId }: AcpUpdate): AcpUpdate[] {
  const { toolNotification } = (_meta ?? {}) as { toolNotification?: { params?: { data?: SubagentRequest } } };
  const { type, tool_call: call } = toolNotification?.params?.data ?? {};
  if (type !== "subagent_tool_request" || toolCallId === undefined) return [];
  const title = `${call?.name ?? "tool"} ${JSON.stringify(call?.arguments ?? {})}`;
  return [{ sessionUpdate: "notice", severity: "subagent", title, parentToolCallId: toolCallId }];
}

const todo = /^\s*[-*] \[(.)\] (.*)$/;
const states: Readonly<Record<string, string>> = { x: "completed", X: "completed", "~": "in_progress" };

/** Its list is a text with boxes. */
function todoList({ _meta, rawInput, sessionUpdate }: AcpUpdate): AcpUpdate[] {
  const { content } = (rawInput ?? {}) as { content?: unknown };
  if (toolOf(_meta).toolName !== "todo__todo_write" || typeof content !== "string") return [];
  if (sessionUpdate !== "tool_call") return [];
  const entries = content.split("\n").flatMap((line) => {
    const [, box = "", text] = todo.exec(line) ?? [];
    return text === undefined ? [] : [{ content: text, status: states[box] ?? "pending" }];
  });
  return entries.length === 0 ? [] : [{ sessionUpdate: "plan", entries }];
}
