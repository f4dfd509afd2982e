import type { AcpPlace } from "../../acp/acp-agent.ts";
import type { AcpPermissionRequest, AcpToolCall, AcpUpdate } from "../../acp/dialect.ts";
import { readRegularText } from "../../files/read-regular-file.ts";
import type { JsonRpcCall } from "../../json-rpc/json-rpc-message.ts";
import { RecordedCalls } from "./chat/recorded-calls.ts";
import { SubagentChats } from "./chat/subagent-chats.ts";
import { geminiDirectory } from "./home/gemini-directory.ts";
import { recordedView } from "./recorded-view.ts";
import { withSubagent } from "./subagent-updates.ts";

type Params = { readonly sessionId?: string; readonly update?: AcpUpdate } & AcpPermissionRequest;

/** The files of a conversation. */
interface Records {
  readonly sessionId: string;
  readonly calls: RecordedCalls;
  readonly subagents: SubagentChats;
}

const records = new WeakMap<AcpPlace, Records>();

/**
 * The protocol tells neither the input of a tool nor, of most, what came of it; the file of the conversation has both.
 * The plan that a person is asked about is in a file, too.
 */
export function completeCall(place: AcpPlace, call: JsonRpcCall): Promise<JsonRpcCall> | undefined {
  const { sessionId, update, toolCall } = (call.params ?? {}) as Params;
  if (call.method === "session/request_permission" && toolCall) return completeRequest(call, toolCall);
  const { sessionUpdate, status } = update ?? {};
  const ended = sessionUpdate === "tool_call_update" && (status === "completed" || status === "failed");
  if (!ended || sessionId === undefined || update === undefined) return undefined;
  return completeUpdate(call, update, recordsOf(place, sessionId));
}

function recordsOf(place: AcpPlace, sessionId: string): Records {
  const known = records.get(place);
  if (known?.sessionId === sessionId) return known;
  const directory = geminiDirectory(place.env);
  const calls = new RecordedCalls(directory, sessionId);
  const made = { sessionId, calls, subagents: new SubagentChats(directory, sessionId) };
  records.set(place, made);
  return made;
}

async function completeUpdate(call: JsonRpcCall, told: AcpUpdate, { calls, subagents }: Records): Promise<JsonRpcCall> {
  const record = await calls.take(told.toolCallId ?? "");
  if (!record) return call;
  const whole = { ...told, ...recordedView(record) };
  const update = record.name === "invoke_agent" ? withSubagent(whole, await subagents.take(record)) : whole;
  return { ...call, params: { ...(call.params as Params), update } };
}

const planTitle = /^Requesting plan approval for: (.+)$/;

async function completeRequest(call: JsonRpcCall, toolCall: AcpToolCall): Promise<JsonRpcCall> {
  const path = planTitle.exec(toolCall.title ?? "")?.[1];
  const plan = path === undefined ? undefined : await readRegularText(path).catch(() => undefined);
  if (plan === undefined) return call;
  return { ...call, params: { ...(call.params as Params), toolCall: { ...toolCall, rawInput: { plan } } } };
}
