import { resolve } from "node:path";
import type { AcpPlace } from "../../acp/acp-agent.ts";
import type { AcpPermissionRequest, AcpToolCall, AcpUpdate } from "../../acp/dialect.ts";
import { withImageFiles } from "../../acp/with-image-files.ts";
import type { JsonRpcCall } from "../../json-rpc/json-rpc-message.ts";
import { calledTool } from "./called-tool.ts";

type Params = { readonly sessionId?: string; readonly update?: AcpUpdate } & AcpPermissionRequest;

const readImage = /^Read image file: (.+)$/s;

/** An image that was read is told without its data, but with the file it was in; a request without the name of its tool. */
export function completeCall(place: AcpPlace, call: JsonRpcCall): Promise<JsonRpcCall> | undefined {
  const { sessionId, update = {}, toolCall } = (call.params ?? {}) as Params;
  if (call.method === "session/request_permission") return completeRequest(place, call, sessionId, toolCall);
  if (update.sessionUpdate !== "tool_call_update" || typeof update.rawOutput !== "string") return undefined;
  const file = readImage.exec(update.rawOutput)?.[1];
  return file === undefined ? undefined : withImageFiles(call, [resolve(place.session.directory, file)]);
}

/** Of the program's own tools the kind says enough; the name of one of an MCP server names the server. */
function completeRequest(
  place: AcpPlace,
  call: JsonRpcCall,
  sessionId: string | undefined,
  toolCall: AcpToolCall = {},
): Promise<JsonRpcCall> | undefined {
  const { toolCallId, kind } = toolCall;
  if (kind !== "other" || sessionId === undefined || toolCallId === undefined) return undefined;
  return calledTool(place, sessionId, toolCallId).then((name) =>
    name === undefined ? call : { ...call, params: { ...(call.params as Params), toolCall: { ...toolCall, name } } },
  );
}
