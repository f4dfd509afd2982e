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
  return { reply: error === undefined || error === null ? { id, result } : { id, error: errorObject(error) } };
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

/** Whatever stands in the place of an error is one. */
function errorObject(error: unknown): JsonRpcErrorObject {
  const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown };
  const said = message ?? error;
  return {
    code: typeof code === "number" ? code : 0,
    message: typeof said === "string" ? said : JSON.stringify(said),
    ...(data === undefined ? {} : { data }),
  };
}
