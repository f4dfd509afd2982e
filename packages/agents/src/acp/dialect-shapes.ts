import type { JsonRpcCall } from "../json-rpc/json-rpc-message.ts";
import type { AcpToolCall, AcpUpdate } from "./dialect.ts";

/**
 * The value as the dialect has it: itself where it conforms, else what can be made of it, else `undefined`. Programs send
 * values of other types than they promise; from here on the types of the dialect hold.
 */
type Shape = (value: unknown) => unknown;

/** Deeper values exhaust the stack of whoever serialises them. */
const DEEPEST = 100;

/** What people read. */
const text: Shape = (value) => {
  if (typeof value === "string" || value === undefined || value === null) return value ?? undefined;
  return typeof value === "object" ? JSON.stringify(json(value)) : String(value);
};
const word: Shape = (value) => (typeof value === "string" ? value : undefined);
const id: Shape = (value) => (typeof value === "number" ? String(value) : word(value) || undefined);
const number: Shape = (value) => (Number.isFinite(value) ? value : undefined);
const count: Shape = (value) => (Number.isSafeInteger(value) && (value as number) >= 0 ? value : undefined);
const scalar: Shape = (value) => (typeof value === "object" ? undefined : value);
const json: Shape = (value) => (isDeep(value, DEEPEST) ? "(nested too deeply)" : value);

function isDeep(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeep(inner, levels - 1));
}

/** Fields that are not named stay as they are. Copies only what does not conform. */
function object(fields: Readonly<Record<string, Shape>>): Shape {
  return (value) => {
    if (!isRecord(value)) return undefined;
    let conforming = value;
    for (const name in value) {
      if (!Object.hasOwn(fields, name)) continue;
      const field = fields[name]!(value[name]);
      if (field === value[name]) continue;
      if (conforming === value) conforming = { ...value };
      if (field === undefined) delete conforming[name];
      else conforming[name] = field;
    }
    return conforming;
  };
}

/** One thing counts as a list of it. */
function list(element: Shape): Shape {
  return (value) => {
    if (value === undefined || value === null) return undefined;
    const all = Array.isArray(value) ? value : [value];
    const conforming = all.map(element);
    if (all === value && conforming.every((one, at) => one === all[at] && one !== undefined)) return value;
    return conforming.filter((one) => one !== undefined);
  };
}

function record(field: Shape): Shape {
  return (value) => {
    if (!isRecord(value)) return undefined;
    const entries = Object.entries(value).map(([name, one]) => [name, field(one)] as const);
    return Object.fromEntries(entries.filter(([, one]) => one !== undefined));
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const meta: Shape = (value) => (isRecord(value) && !isDeep(value, DEEPEST) ? value : undefined);
const resource = object({ uri: text, text, mimeType: word });
const block = object({ type: word, text, data: word, mimeType: word, uri: text, name: text, resource });
const content: Shape = (value) => (typeof value === "string" ? { type: "text", text: value } : block(value));
const toolContent = object({ type: word, content, path: text, oldText: text, newText: text, terminalId: id });

const callFields = {
  toolCallId: id,
  title: text,
  name: text,
  kind: word,
  status: word,
  content: list(toolContent),
  locations: list(object({ path: text, line: number })),
  rawInput: json,
  rawOutput: json,
  _meta: meta,
};
const toolCall = object(callFields);

const choice = object({ value: id, name: text, description: text, options: list(object({ value: id, name: text })) });
const configOption = object({
  id,
  name: text,
  category: word,
  type: word,
  currentValue: scalar,
  options: list(choice),
});

const updateFields = {
  ...callFields,
  sessionUpdate: word,
  messageId: id,
  entries: list(object({ content: text, status: word })),
  currentModeId: id,
  configOptions: list(configOption),
  used: number,
  size: number,
  cost: object({ amount: number, currency: word }),
  severity: word,
  compactionId: id,
  error: text,
  parentToolCallId: id,
};
const ofCalls = object(updateFields);
const ofMessages = object({ ...updateFields, content });
const messages = new Set(["agent_message_chunk", "agent_thought_chunk", "user_message_chunk"]);

const permissionRequest = object({
  toolCall,
  options: list(object({ optionId: scalar, name: text, kind: word })),
});
const formChoice = object({ const: text, title: text });
const formField = object({
  type: word,
  title: text,
  description: text,
  enum: list(text),
  oneOf: list(formChoice),
  items: object({ type: word, enum: list(text), anyOf: list(formChoice) }),
});
const elicitation = object({
  mode: word,
  message: text,
  requestedSchema: object({ properties: record(formField) }),
});

const callShapes: Readonly<Record<string, Shape>> = {
  "session/update": object({ update: (value) => conformUpdate(value) }),
  "session/request_permission": permissionRequest,
  "elicitation/create": elicitation,
};

const named = { name: text, description: text };
const opened = object({
  sessionId: word,
  modes: object({ currentModeId: word, availableModes: list(object({ id: word, ...named })) }),
  models: object({ currentModelId: word, availableModels: list(object({ modelId: word, name: text })) }),
  configOptions: list(configOption),
});
const tokens = object({
  inputTokens: count,
  outputTokens: count,
  cachedReadTokens: count,
  cachedWriteTokens: count,
  thoughtTokens: count,
});
const capabilities = object({
  promptCapabilities: object({}),
  mcpCapabilities: object({}),
  sessionCapabilities: object({}),
});

const replyShapes: Readonly<Record<string, Shape>> = {
  initialize: object({
    protocolVersion: scalar,
    agentInfo: object({ name: text, version: text }),
    authMethods: list(object({ id: word, ...named })),
    agentCapabilities: capabilities,
  }),
  "session/new": opened,
  "session/load": opened,
  "session/resume": opened,
  "session/set_config_option": object({ configOptions: list(configOption) }),
  "session/prompt": object({ stopReason: word, usage: tokens, _meta: meta }),
};

/** What the agent tells, in the types of the dialect; `undefined` for what is no update. Pure. */
export function conformUpdate(update: unknown): AcpUpdate | undefined {
  const { sessionUpdate } = (update ?? {}) as { sessionUpdate?: unknown };
  return (messages.has(sessionUpdate as string) ? ofMessages : ofCalls)(update) as AcpUpdate | undefined;
}

/** Pure. */
export function conformToolCall(call: unknown): AcpToolCall {
  return (toolCall(call) ?? {}) as AcpToolCall;
}

/** A call of the agent with parameters as the dialect has them. Pure. */
export function conformCall(call: JsonRpcCall): JsonRpcCall {
  const shape = Object.hasOwn(callShapes, call.method) ? callShapes[call.method]! : undefined;
  const params = shape ? shape(call.params) : call.params;
  return params === call.params ? call : { ...call, params };
}

/** The answer to a request of ours as the dialect has it. Pure. */
export function conformReply(method: string, result: unknown): unknown {
  return Object.hasOwn(replyShapes, method) ? replyShapes[method]!(result) : result;
}
