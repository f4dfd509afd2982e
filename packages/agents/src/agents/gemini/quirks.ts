import type { ErrorData } from "@sandbox-agent-ts/protocol";
import type { AcpQuirks, AcpToolDescription } from "../../acp/acp-agent.ts";
import { errorData } from "../../acp/convert/error-sentence.ts";
import type { AcpContent, AcpToolCall, AcpToolContent, AcpUpdate } from "../../acp/dialect.ts";
import { thoughtText } from "./chat/chat-steps.ts";
import { program } from "./program.ts";
import { subagentUpdates } from "./subagent-updates.ts";

/** What Gemini CLI does otherwise than the protocol says, as far as its messages alone tell. */
export const quirks = {
  rewriteUpdate,
  rewriteRequest: withKnownInput,
  describeTool,
  refusedOutput: (tool) => `Tool "${tool}" was canceled by the user.`,
  explainError,
  isNoise,
} satisfies AcpQuirks;

const modeText = /^\[MODE_UPDATE\] (\w+)$/;

/** What an update of Gemini CLI really says. Pure. */
function rewriteUpdate(update: AcpUpdate): readonly AcpUpdate[] {
  switch (update.sessionUpdate) {
    case "agent_message_chunk": {
      const mode = modeText.exec(textOf(update))?.[1];
      return mode === undefined ? [update] : [{ sessionUpdate: "current_mode_update", currentModeId: mode }];
    }
    case "agent_thought_chunk":
      return [{ ...update, content: { type: "text", text: thought(textOf(update)) } }];
    case "tool_call":
      return [{ ...update, ...withKnownInput(update as AcpToolCall) }];
    case "tool_call_update":
      return [...subagentUpdates(update), update];
    default:
      return [update];
  }
}

/** A thought comes as `**Subject**` and then what it is; the subject may be empty. */
function thought(text: string): string {
  const [, subject = "", description = text] = /^\*\*(.*?)\*\*\n([\s\S]*)$/.exec(text) ?? [];
  return thoughtText({ subject, description });
}

/**
 * A call that has not run comes without its input, and what stands in its content is a hint for people, and no result.
 * The title of a command is the whole command. Pure.
 */
function withKnownInput<T extends AcpToolCall>(call: T): T {
  const content = (call.content ?? []).filter(({ type }) => type === "diff").map(newFile);
  const rawInput = mcpInput(call) ?? commandInput(call) ?? fetchInput(call) ?? attachedInput(call) ?? call.rawInput;
  return { ...call, content, ...(rawInput === undefined ? {} : { rawInput }) };
}

/** A file of the message that is outside of its directory: it asks before it reads the message. */
function attachedInput({ kind, title }: AcpToolCall): object | undefined {
  const path = kind === "read" ? /^Allow access to absolute path: (\/.+)$/s.exec(title ?? "")?.[1] : undefined;
  return path === undefined ? undefined : { path };
}

const commandDirectory = /^\[in (.*?)\](?: \(| \[background\]$|$)/s;

function commandInput({ kind, title, content }: AcpToolCall): object | undefined {
  if (kind !== "execute" || !title) return undefined;
  const directory = commandDirectory.exec(shownText(content))?.[1];
  return { command: title, ...(directory === undefined ? {} : { dir_path: directory }) };
}

/** A prompt that is cut off may end in the middle of an address, which is another one then. */
function fetchInput({ kind, title }: AcpToolCall): object | undefined {
  if (kind !== "fetch") return undefined;
  const url = /^Fetching content from: (.+)$/s.exec(title ?? "")?.[1];
  if (url !== undefined) return { url };
  const prompt = /^Processing URLs and instructions from prompt: "(.*)"$/s.exec(title ?? "")?.[1];
  return prompt === undefined ? undefined : { prompt: prompt.replace(/\S*\.\.\.$/, "") };
}

function shownText(content: AcpToolCall["content"]): string {
  return content?.find(({ content: shown }) => shown?.type === "text")?.content?.text ?? "";
}

/** Of a file that was not there it says that it was empty. */
function newFile(part: AcpToolContent): AcpToolContent {
  return part.oldText === "" ? { ...part, oldText: null } : part;
}

/** A tool of an MCP server shows its input as its content. */
function mcpInput({ toolCallId, content }: AcpToolCall): unknown {
  if (!toolCallId?.startsWith("mcp_")) return undefined;
  try {
    return JSON.parse(shownText(content));
  } catch {
    return undefined;
  }
}

/** The id of a call begins with the name of its tool: `read_file__<id>`, or `read_file-<time>-<number>`. */
const nameInId = /^(.+?)(?:__.*|-\d{13}-\d+)$/;

/** Pure. */
function describeTool(call: AcpToolCall): AcpToolDescription {
  const tool = call.name ?? nameInId.exec(call.toolCallId ?? "")?.[1];
  return {
    ...(tool ? { name: tool } : {}),
    ...(tool === "exit_plan_mode" ? { kind: "switch_mode" } : {}),
    ...(isAbridged(call) ? { isAbridged: true } : {}),
  };
}

/** Titles are cut for people. A command's is whole, a change shows its file beside it, and a tool of MCP its input. */
function isAbridged({ kind, title, toolCallId, content }: AcpToolCall): boolean {
  if (kind === "execute" || toolCallId?.startsWith("mcp_")) return false;
  return title?.includes("...") === true && !content?.some(({ type }) => type === "diff");
}

/** What a model service says comes as its whole answer, and of a model that is not there without its status. Pure. */
function explainError(error: { readonly code: number; readonly message: string; readonly data: unknown }): ErrorData {
  const { code, message } = innerError(error.message) ?? error;
  const noModel = /\bmodels?\b/i.test(message) && /not found|not supported|no.such|is not|unknown/i.test(message);
  const status = noModel ? 404 : code;
  const told = status > 0 ? `${status}: ${message}` : message;
  return errorData("Gemini CLI", { code: error.code, message: told, data: error.data }, program);
}

function innerError(text: string): { code: number; message: string } | undefined {
  try {
    const { error } = JSON.parse(text) as { error?: { code?: number; message?: string } };
    return error?.message === undefined ? undefined : { code: error.code ?? 0, message: error.message };
  } catch {
    return undefined;
  }
}

const noise = /^\s*$|Ripgrep is not available|^\[STARTUP\]|256-color|YOLO mode is enabled/;

function isNoise(line: string): boolean {
  return noise.test(line);
}

function textOf({ content }: AcpUpdate): string {
  return (content as AcpContent | null | undefined)?.text ?? "";
}
