export type JsonRpcId = number | string;

export interface JsonRpcErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** A request or a notification of the other side, and the line it came as. */
export interface JsonRpcCall {
  readonly method: string;
  readonly params: unknown;
  /** Present: the other side waits for an answer. May be 0. */
  readonly id?: JsonRpcId;
  readonly raw: string;
}

export interface JsonRpcReply {
  readonly id: JsonRpcId;
  readonly result?: unknown;
  readonly error?: JsonRpcErrorObject;
}

/** What a line says; a line that is no JSON-RPC message is `undefined`. The `jsonrpc` member is not asked for. */
export function parseJsonRpc(line: string): { call: JsonRpcCall } | { reply: JsonRpcReply } | undefined {
  const message = parseObject(line);
  if (!message) return undefined;
  const { id, method, params, result, error } = message;
  if (typeof method === "string") {
    return { call: isId(id) ? { method, params, id, raw: line } : { method, params, raw: line } };
  }
  if (!isId(id)) return undefined;
  return { reply: isErrorObject(error) ? { id, error } : { id, result } };
}

function parseObject(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function isId(id: unknown): id is JsonRpcId {
  return typeof id === "number" || typeof id === "string";
}

function isErrorObject(error: unknown): error is JsonRpcErrorObject {
  return typeof error === "object" && error !== null && "message" in error;
}
