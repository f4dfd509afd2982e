import type { JsonRpcErrorObject } from "./json-rpc-message.ts";

export const METHOD_NOT_FOUND = -32601;

/** The other side refused a request. */
export class JsonRpcError extends Error {
  readonly method: string;
  readonly code: number;
  readonly data: unknown;

  constructor(method: string, { code, message, data }: JsonRpcErrorObject) {
    super(message);
    this.name = "JsonRpcError";
    this.method = method;
    this.code = code;
    this.data = data;
  }
}
