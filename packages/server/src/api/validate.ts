import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { Context } from "hono";
import type { z } from "zod";

const maxListedIssues = 20;
const utf8 = new TextDecoder("utf-8", { fatal: true });

export interface JsonOptions {
  /** An empty body counts as `{}`. */
  readonly optional?: boolean;
  readonly maxBytes: number;
}

/**
 * The query, validated. Names are understood as `includeRaw` and as `include_raw`; of repeated ones the last counts, except
 * for those that are `repeatable`, whose values are joined with commas.
 */
export function readQuery<T>(c: Context, schema: z.ZodType<T>, { repeatable = [] as readonly string[] } = {}): T {
  const values: Record<string, string> = {};
  for (const [given, value] of new URL(c.req.url).searchParams) {
    const name = camelCase(given);
    values[name] = repeatable.includes(name) && values[name] !== undefined ? `${values[name]},${value}` : value;
  }
  return parse(schema, values, "query");
}

/** The JSON body, validated; at most `maxBytes` of it are ever read. */
export async function readJson<T>(c: Context, schema: z.ZodType<T>, options: JsonOptions): Promise<T> {
  const isJson = /^application\/(.+\+)?json$/.test(mediaType(c));
  const bytes = await readAtMost(c, isJson ? options.maxBytes : 0);
  if (bytes === "more") throw isJson ? tooLarge(options.maxBytes) : notJson();
  if (bytes.length > 0) return parse(schema, decode(bytes), "body");
  if (options.optional) return parse(schema, {}, "body");
  throw invalid("The request needs a JSON body.", [{ path: "", message: "missing" }]);
}

/** What the request says its body is, without parameters; empty when it does not say. */
export function mediaType(c: Context): string {
  const [type = ""] = (c.req.header("content-type") ?? "").split(";");
  return type.trim().toLowerCase();
}

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** A body that announces a length within the limit is read in one go: HTTP holds the sender to it. */
async function readAtMost(c: Context, limit: number): Promise<Uint8Array | "more"> {
  const announced = Number(c.req.header("content-length") ?? Number.NaN);
  if (announced > limit) return "more";
  try {
    const bytes = announced <= limit ? new Uint8Array(await c.req.arrayBuffer()) : await collect(c.req.raw.body, limit);
    return bytes === "more" || bytes.length > limit ? "more" : bytes;
  } catch (error) {
    throw new SandboxError("invalid_request", "The request body broke off. Send it again.", { cause: error });
  }
}

async function collect(body: AsyncIterable<Uint8Array> | null, limit: number): Promise<Uint8Array | "more"> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > limit) return "more";
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function decode(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw invalid(`The request body is not JSON: ${message}.`, [{ path: "", message }], error);
  }
}

function parse<T>(schema: z.ZodType<T>, value: unknown, what: "query" | "body"): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issues = result.error.issues.slice(0, maxListedIssues).map(({ path, message }) => {
    return { path: path.map(String).join("."), message };
  });
  const [first] = issues;
  const where = first?.path ? ` at "${first.path}"` : "";
  throw invalid(`The request ${what} is wrong${where}: ${first?.message}.`, issues);
}

function invalid(
  sentence: string,
  issues: readonly { path: string; message: string }[],
  cause?: unknown,
): SandboxError {
  return new SandboxError("invalid_request", sentence, { details: { issues }, cause });
}

function tooLarge(maxBytes: number): SandboxError {
  return new SandboxError("payload_too_large", `The request body is larger than ${maxBytes} bytes. Send less at once.`);
}

function notJson(): SandboxError {
  return new SandboxError("unsupported_media_type", "Send the body as JSON, with content-type: application/json.");
}
