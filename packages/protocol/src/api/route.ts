import type { z } from "zod";
import type { ErrorCode } from "../error-codes.ts";

export interface Route {
  /** The operation's name: `operationId` in OpenAPI, the method of the SDK. */
  readonly id: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path with `{parameters}`. */
  readonly path: string;
  readonly tag: "server" | "agents" | "sessions" | "fs";
  readonly summary: string;
  /** Answers without a token. */
  readonly public?: boolean;
  readonly query?: z.ZodObject;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: { readonly type: string; readonly schema?: z.ZodType; readonly optional?: boolean };
  readonly response: {
    readonly status: number;
    readonly type?: string;
    readonly schema?: z.ZodType;
    /** The same as server-sent events while it happens, for whoever sends `Accept: text/event-stream`. */
    readonly events?: z.ZodType;
    /** The type of the same as bytes, for whoever sends it as `Accept`. */
    readonly bytes?: string;
  };
  /** What may go wrong besides what may go wrong everywhere (see `commonErrors`). */
  readonly errors: readonly ErrorCode[];
}

/** A route of any table. */
export type DocumentedRoute = Omit<Route, "tag"> & { readonly tag: string };

/** Errors that any route with a token, a body or a bug can answer. */
export const commonErrors: readonly ErrorCode[] = [
  "invalid_request",
  "token_invalid",
  "permission_denied",
  "not_found",
  "method_not_allowed",
  "payload_too_large",
  "unsupported_media_type",
  "internal_error",
];
