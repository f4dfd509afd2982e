import type { PermissionReply, PermissionRequestedData } from "@sandbox-agent-ts/protocol";
import { permissionData as aboutUse } from "../../permissions/permission-data.ts";
import { isReallyInside } from "../../permissions/really-inside.ts";
import type { AcpPermissionOption, AcpToolCall } from "../dialect.ts";
import type { AcpSetting } from "./acp-state.ts";
import { fileChange, toolKind, toolName } from "./tool-view.ts";

/** What only looks. Everything else, also what is of no known kind, may change something. */
const harmlessKinds = new Set(["read", "search", "think", "fetch"]);
const pathFields = ["path", "file_path", "filePath", "absolute_path", "abs_path", "filename"];

/** Decided by the permission mode, without asking a person. */
export function decidedByMode(call: AcpToolCall, setting: AcpSetting): PermissionReply | undefined {
  const kind = toolKind(call, setting);
  switch (setting.permissionMode) {
    case "bypass":
      return "once";
    case "plan":
      if (!harmlessKinds.has(kind)) return "reject";
      return setting.asksEverything ? undefined : "once";
    case "acceptEdits":
      return kind === "edit" && isInside(call, setting.directory) ? "once" : undefined;
    default:
      return undefined;
  }
}

/** All files it says that it changes are in the directory; of one that does not say, nothing is known. */
function isInside(call: AcpToolCall, directory: string): boolean {
  const paths = pathsOf(call);
  return paths.length > 0 && paths.every((path) => isReallyInside(directory, path));
}

function pathsOf({ locations, content, rawInput }: AcpToolCall): string[] {
  const input = typeof rawInput === "object" && rawInput !== null ? (rawInput as Record<string, unknown>) : {};
  const named = pathFields.flatMap((field) => (typeof input[field] === "string" ? [input[field]] : []));
  const located = [...(locations ?? []), ...(content ?? [])].flatMap(({ path }) => path ?? []);
  return [...new Set([...located, ...named])];
}

/** What a person is asked; `itemId` is the item of the call. */
export function permissionData(
  id: string,
  call: AcpToolCall,
  setting: AcpSetting,
  itemId: string | undefined,
): PermissionRequestedData {
  const diffs = (call.content ?? []).flatMap((part) => fileChange(part, setting.directory));
  const shown = diffs.flatMap((part) => (part.type === "file_ref" && part.diff ? [part.diff] : [])).join("");
  const diff = shown || (setting.quirks.describeTool?.(call).diff ?? "");
  const files = pathsOf(call);
  const [tool, kind, callId] = [wholeToolName(call, setting), toolKind(call, setting), call.toolCallId];
  const metadata = {
    tool,
    kind,
    title: call.title ?? null,
    call_id: callId ?? null,
    input: call.rawInput ?? null,
    ...(files.length > 0 ? { files } : {}),
    ...(diff === "" ? {} : { diff }),
  };
  const title = call.title ?? undefined;
  return aboutUse(
    id,
    { tool, kind, title, input: call.rawInput, paths: files, diff, callId, itemId, metadata },
    setting,
  );
}

/** With the name of its MCP server, where the agent tells the two apart. */
function wholeToolName(call: AcpToolCall, setting: AcpSetting): string {
  const name = toolName(call, setting);
  const server = setting.quirks.describeTool?.(call).mcpServer;
  const isOfSession = server !== undefined && setting.mcpServers.includes(server);
  return isOfSession && !name.startsWith(`${server}__`) ? `${server}__${name}` : name;
}

/**
 * The same tool with the same input is the same use. Where the agent tells no input, the files and what becomes of them
 * count beside the title, which is for people and may be abridged.
 */
export function useOf(call: AcpToolCall, setting: AcpSetting): string {
  const about = call.rawInput ?? [
    call.title ?? null,
    pathsOf(call),
    (call.content ?? []).map(({ newText }) => newText),
  ];
  const isAbridged = setting.quirks.describeTool?.(call).isAbridged === true;
  const own = isAbridged ? [call.toolCallId] : [];
  return JSON.stringify([toolName(call, setting), toolKind(call, setting), about, ...own]);
}

export const permissionCancelled = { outcome: { outcome: "cancelled" } };

/** Chosen by what an option means, never by what it is called. */
const wantedKinds: Readonly<Record<PermissionReply, readonly string[]>> = {
  once: ["allow_once", "allow_always"],
  always: ["allow_always", "allow_once"],
  reject: ["reject_once"],
};

/** The answer, or that nobody answers where the agent offers nothing that fits. */
export function permissionAnswer(options: readonly AcpPermissionOption[], reply: PermissionReply): object {
  for (const wanted of wantedKinds[reply]) {
    const option = options.find(({ kind, optionId }) => kind === wanted && optionId !== undefined);
    if (option) return { outcome: { outcome: "selected", optionId: option.optionId } };
  }
  return permissionCancelled;
}
