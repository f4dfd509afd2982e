import {
  describeToolCall,
  type PermissionRequestedData,
  type PermissionResolvedData,
  type ToolCallHints,
} from "@sandbox-agent-ts/protocol";
import type { OpenOptions } from "../agent.ts";
import { diffOfInput } from "./diff-of-input.ts";

/** A longer diff is not told with a request; the input has it. */
const LONGEST_DIFF = 256 * 1024;

/** What has to be known of a session to say what a tool call is about. */
export interface CallSetting {
  readonly directory: string;
  /** What `~` stands for. */
  readonly home?: string;
  readonly mcpServers: readonly string[];
}

export function callSetting({ host, session }: Pick<OpenOptions, "host" | "session">): CallSetting {
  const home = session.env.HOME ?? host.env.HOME;
  return {
    directory: session.directory,
    mcpServers: Object.keys(session.mcp ?? {}),
    ...(home === undefined ? {} : { home }),
  };
}

/** A use of a tool that needs permission, as the agent tells it. */
export interface AskedUse extends Pick<ToolCallHints, "kind" | "title" | "paths"> {
  readonly tool: string;
  readonly input: unknown;
  readonly callId?: string | undefined;
  /** Of the item of the call. */
  readonly itemId?: string | undefined;
  /** Where the agent tells it; else it is made from the input. */
  readonly diff?: string | undefined;
  /** What else the agent says. */
  readonly metadata: Record<string, unknown>;
}

/** What a person is asked, in the fields that are the same for all agents. Pure. */
export function permissionData(id: string, use: AskedUse, setting: CallSetting): PermissionRequestedData {
  const { tool, input, callId, itemId, metadata } = use;
  const { kind, title, paths, command, cwd, url, mcpServer } = describeToolCall(tool, input, { ...setting, ...use });
  const diff = kind === "mcp" ? undefined : use.diff || diffOfInput(input, setting.directory);
  return {
    permission_id: id,
    action: title,
    kind,
    tool,
    paths: [...paths],
    ...(command === undefined ? {} : { command }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(url === undefined ? {} : { url }),
    ...(diff === undefined || diff.length > LONGEST_DIFF ? {} : { diff }),
    ...(mcpServer === undefined ? {} : { mcp_server: mcpServer }),
    ...(callId === undefined ? {} : { call_id: callId }),
    ...(itemId === undefined ? {} : { item_id: itemId }),
    metadata,
    status: "requested",
  };
}

/** What an earlier `always` lets pass: never asked, only told. */
export function rememberedPermission(asked: PermissionRequestedData): PermissionResolvedData {
  return { ...asked, status: "approved", reply: "always", resolved_by: "remembered" };
}

/** The agent does not wait for the answer any more. */
export function withdrawnPermission(asked: PermissionRequestedData): PermissionResolvedData {
  return { ...asked, status: "denied", reply: "reject", resolved_by: "agent" };
}
