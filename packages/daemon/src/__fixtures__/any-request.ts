import { type Route, routes } from "@sandbox-agent-ts/protocol";
import fc from "fast-check";
import type { Exchange } from "./exchange.ts";

/** A request to a route, or to something that looks like one. */
export interface AnyRequest extends Exchange {
  readonly route: Route;
  /** Method and path are the route's own, so that only what it documents may come back. */
  readonly isProper: boolean;
}

const hostileNames = [
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "null",
  "undefined",
  "NaN",
  "[object Object]",
];
const knownIds = ["mock-session", "fake-session", "ended", "mock", "fake", "new"];
const idText = fc.oneof(
  fc.constantFrom(...knownIds),
  fc.constantFrom(...knownIds),
  fc.constantFrom(...hostileNames, "a/b", "a\0b", "\n", "x".repeat(600), "💥", "%", "%2F", " "),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }),
);
const brokenSegment = fc.constantFrom("%", "%zz", "%ff", "%c3%28", "..", "%2e%2e", ".", "", ";x=1", "%00", "a%2fb");

/** Relative, and never so far up that it leaves the directory made for the test, whatever the jail does. */
const fsPath = fc
  .array(
    fc.oneof(fc.constantFrom("a", "b", "c.txt", "..", ".", "", "~"), fc.string({ unit: "grapheme", maxLength: 8 })),
    {
      maxLength: 4,
    },
  )
  .map((parts) => parts.join("/").replace(/^\/+/, ""));
const queryValue = fc.oneof(
  fc.constantFrom("0", "1", "-1", "1e9", "999999999999999", "9999999999999999", "true", "false", "TRUE", "", "null"),
  fc.constantFrom(...knownIds, ...hostileNames),
  fsPath,
);
const queryName = fc.constantFrom(
  ...[
    "offset",
    "limit",
    "includeRaw",
    "include_raw",
    "path",
    "sessionId",
    "session_id",
    "recursive",
    "__proto__",
    "x[]",
  ],
);
const query = fc
  .array(fc.tuple(queryName, queryValue), { maxLength: 4 })
  .map((pairs) => (pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`));

const headerValue = fc
  .string({ unit: "grapheme-ascii", maxLength: 30 })
  .map((text) => text.replace(/[^\x20-\x7e]/g, ""));
const headers = fc.dictionary(
  fc.constantFrom(
    "accept",
    "last-event-id",
    "idempotency-key",
    "range",
    "if-none-match",
    "accept-encoding",
    "expect",
    "x",
  ),
  fc.oneof(headerValue, fc.constantFrom("1", "0", "99999999999999999999", "bytes=0-", "gzip", "k".repeat(300))),
  { maxKeys: 3, noNullPrototype: true },
);

const anyValue = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom("", 0, -0, 1e308, Number.MAX_SAFE_INTEGER, "\ud800", "x".repeat(3000), [], {}, null, true),
);
const mostly = <T>(usual: fc.Arbitrary<T>) =>
  fc.oneof<fc.WeightedArbitrary<unknown>[]>({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: anyValue });
const required = {
  agent: mostly(fc.constantFrom("mock", "mock", "fake", "nobody", "__proto__")),
  message: mostly(fc.constantFrom("echo x", "permission", "question", "tool", "error", "unparsed", "")),
  reply: mostly(fc.constantFrom("once", "always", "reject")),
  answers: mostly(fc.constantFrom([["Blue"], []], [])),
  from: fsPath,
  to: fsPath,
};
const likelyBody = fc.record(
  {
    ...required,
    agentMode: mostly(fc.constantFrom("build", "build", "plan", null)),
    permissionMode: mostly(fc.constantFrom("default", "default", "bypass", null)),
    directory: fc.constantFrom(null, ".", null, ".", "/nowhere/at/all", "\0", 7, "", {}),
    title: mostly(fc.string({ maxLength: 20 })),
    mcp: mostly(fc.constantFrom(null, { x: { type: "remote", url: "http://localhost" } })),
    skills: mostly(fc.constantFrom(null, { sources: [] })),
    env: mostly(fc.dictionary(fc.string({ maxLength: 5 }), fc.string({ maxLength: 5 }))),
    attachments: mostly(fc.array(fc.record({ path: mostly(fc.constant("/x")) }), { maxLength: 3 })),
    reinstall: mostly(fc.boolean()),
    overwrite: mostly(fc.boolean()),
  },
  { requiredKeys: ["agent", "message", "reply", "answers", "from", "to"] },
);
const likelyText = likelyBody.map((value) => JSON.stringify(value));
const body = fc.oneof(
  { weight: 6, arbitrary: likelyText },
  fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(value)),
  fc.constantFrom(
    '{"__proto__":{"agent":"mock"},"agent":"mock"}',
    '{"agent":"mock","env":{"__proto__":"x","constructor":"y"}}',
    '{"agent":"mock","mcp":{"__proto__":{"type":"local","command":"x"}}}',
    '{"message":1e400}',
    `${"[".repeat(20_000)}`,
    '{"message":"a","message":"b"}',
    "",
  ),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
);
const contentType = fc.oneof(
  { weight: 6, arbitrary: fc.constant("application/json") },
  fc.constantFrom("application/x-tar", "application/octet-stream", "text/plain", ""),
  fc.constantFrom("application/json; charset=utf-16", "multipart/form-data"),
);
const method = fc.constantFrom("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE", "PROPFIND");
const rarely = <T>(arbitrary: fc.Arbitrary<T>) => fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, arbitrary);

export const anyRequest: fc.Arbitrary<AnyRequest> = fc
  .record({
    route: fc.constantFrom<Route>(...routes),
    ids: fc.array(idText, { minLength: 2, maxLength: 2 }),
    broken: rarely(brokenSegment),
    otherMethod: rarely(method),
    query,
    headers,
    contentType,
    body,
    noBody: rarely(fc.constant(true)),
  })
  .map(({ route, ids, broken, otherMethod, query, headers, contentType, body, noBody }) => {
    const segments = broken === null ? ids.map(encodeURIComponent) : [broken, broken];
    const path = route.path.replace(/\{\w+\}/g, () => segments.pop()!);
    const sendsBody = !noBody && route.method !== "GET";
    return {
      route,
      isProper: otherMethod === null && (broken === null || !route.path.includes("{")),
      method: otherMethod ?? route.method,
      path: path + query,
      headers: { ...headers, ...(sendsBody ? { "content-type": contentType } : {}) },
      ...(sendsBody ? { body } : {}),
    };
  });
