/**
 * Feared: a route that answers somebody it should not. Every operation of a runtime is asked for with every kind of
 * credentials; what is said here is what `docs/security.mdx` promises. A route that is not listed fails the test.
 */
import { beforeAll, expect, it } from "vitest";
import { secretKey, startTestRuntime } from "../__fixtures__/test-runtime.ts";
import { guardedRoutes } from "../access/route-actions.ts";
import { SessionTokens } from "../access/session-tokens.ts";

type Credentials = (typeof kinds)[number];
const kinds = [
  "none",
  "wrong key",
  "expired token",
  "read-only key",
  "other principal",
  "token of another session",
  "read token",
  "write token",
] as const;

/** `yes`: whatever the answer is, it is not a refusal. */
type Outcome = "yes" | 401 | 403 | 404;
type Row = Readonly<Record<Credentials, Outcome>>;

const strangers = { none: 401, "wrong key": 401, "expired token": 401 } as const;
const rows = {
  public: Object.fromEntries(kinds.map((kind) => [kind, "yes"])) as unknown as Row,
  /** For everybody who is in. */
  common: {
    ...strangers,
    "read-only key": "yes",
    "other principal": "yes",
    "token of another session": "yes",
    "read token": "yes",
    "write token": "yes",
  },
  /** For keys, whatever their scope. */
  keys: {
    ...strangers,
    "read-only key": "yes",
    "other principal": "yes",
    "token of another session": 403,
    "read token": 403,
    "write token": 403,
  },
  /** For keys that may write. */
  writers: {
    ...strangers,
    "read-only key": 403,
    "other principal": "yes",
    "token of another session": 403,
    "read token": 403,
    "write token": 403,
  },
  admins: {
    ...strangers,
    "read-only key": 403,
    "other principal": 403,
    "token of another session": 403,
    "read token": 403,
    "write token": 403,
  },
  "reads a session": {
    ...strangers,
    "read-only key": "yes",
    "other principal": 404,
    "token of another session": 404,
    "read token": "yes",
    "write token": "yes",
  },
  "writes to a session": {
    ...strangers,
    "read-only key": 403,
    "other principal": 404,
    "token of another session": 404,
    "read token": 403,
    "write token": "yes",
  },
  "manages a session": {
    ...strangers,
    "read-only key": 403,
    "other principal": 404,
    "token of another session": 403,
    "read token": 403,
    "write token": 403,
  },
} as const satisfies Record<string, Row>;

const documented: Readonly<Record<keyof typeof rows, readonly string[]>> = {
  public: ["GET /"],
  common: [
    "GET /openapi.json",
    "GET /api/openapi.json",
    "GET /v1/agents",
    "GET /v1/agents/{agent}/modes",
    "GET /v1/agents/{agent}/models",
  ],
  keys: [
    "GET /v1/health?details=true",
    "GET /metrics",
    "GET /v1/sessions",
    "GET /v1/events/sse",
    "GET /api/sessions",
    "GET /api/usage",
    "GET /api/profiles",
    "GET /api/profiles/{name}",
  ],
  writers: ["POST /v1/agents/{agent}/install", "POST /v1/sessions/{sessionId}", "POST /api/sessions"],
  admins: ["GET /api/audit", "PUT /api/profiles/{name}", "DELETE /api/profiles/{name}"],
  "reads a session": [
    "GET /v1/sessions/{sessionId}",
    "GET /v1/sessions/{sessionId}/turns",
    "GET /v1/sessions/{sessionId}/events",
    "GET /v1/sessions/{sessionId}/events/sse",
    "GET /v1/sessions/{sessionId}/diff",
    "GET /v1/fs/entries",
    "GET /v1/fs/file",
    "GET /v1/fs/stat",
    "GET /v1/fs/manifest",
    "POST /v1/fs/tar",
    "GET /v1/fs/changes/sse",
    "GET /api/sessions/{sessionId}",
    "GET /api/sessions/{sessionId}/options",
    "GET /api/sessions/{sessionId}/files",
    "GET /api/sessions/{sessionId}/files/{path}",
    "GET /api/sessions/{sessionId}/checkpoints",
    "GET /api/sessions/{sessionId}/checkpoints/{checkpoint}/tar",
    "GET /api/sessions/{sessionId}/checkpoints/{checkpoint}/diff/{other}",
  ],
  "writes to a session": [
    "PATCH /v1/sessions/{sessionId}",
    "POST /v1/sessions/{sessionId}/messages",
    "POST /v1/sessions/{sessionId}/messages/stream",
    "DELETE /v1/sessions/{sessionId}/turns/{turnId}",
    "POST /v1/sessions/{sessionId}/interrupt",
    "POST /v1/sessions/{sessionId}/questions/{questionId}/reply",
    "POST /v1/sessions/{sessionId}/questions/{questionId}/reject",
    "POST /v1/sessions/{sessionId}/permissions/{permissionId}/reply",
    "PUT /v1/fs/file",
    "DELETE /v1/fs/entry",
    "POST /v1/fs/mkdir",
    "POST /v1/fs/move",
    "POST /v1/fs/upload-batch",
    "POST /v1/fs/delete-batch",
    "PATCH /api/sessions/{sessionId}",
    "POST /api/sessions/{sessionId}/messages",
    "POST /api/sessions/{sessionId}/interrupt",
    "PATCH /api/sessions/{sessionId}/options",
    "POST /api/sessions/{sessionId}/sync",
    "POST /api/sessions/{sessionId}/permissions/{permissionId}",
    "POST /api/sessions/{sessionId}/questions/{questionId}",
  ],
  "manages a session": [
    "DELETE /v1/sessions/{sessionId}",
    "POST /v1/sessions/{sessionId}/terminate",
    "DELETE /api/sessions/{sessionId}",
    "POST /api/sessions/{sessionId}/unload",
    "POST /api/sessions/{sessionId}/sandbox/terminate",
    "POST /api/sessions/{sessionId}/tokens",
  ],
};

const mine = "mine";
const limit = 120_000;
let url = "";
const tokens = new Map<Credentials, string>();

beforeAll(async () => {
  let clean = async () => {};
  const { runtime, gateway } = await startTestRuntime({
    atEnd: (work) => {
      clean = work;
    },
  });
  url = gateway.url;
  const ann = { principal: "ann", scope: "write" } as const;
  for (const id of [mine, "other"])
    await runtime.sessions.createSession({ sessionId: id, agent: "mock", owner: "ann" });
  const session = await runtime.sessions.ownership(mine);
  const key = async (principal: string, scope: "read" | "write") =>
    (await runtime.keys.create({ name: principal, principal, scope })).key;
  const expired = { session, scope: "write", expiresAt: Date.now() - 1, issuer: ann } as const;
  const other = await runtime.sessions.ownership("other");
  tokens.set("wrong key", "sak_no-key-of-this-runtime");
  tokens.set("expired token", new SessionTokens(secretKey).sign(expired));
  tokens.set("read-only key", await key("ann", "read"));
  tokens.set("other principal", await key("bob", "write"));
  tokens.set("token of another session", runtime.access.issueToken(ann, other, { scope: "write" }).token);
  tokens.set("read token", runtime.access.issueToken(ann, session, { scope: "read" }).token);
  tokens.set("write token", runtime.access.issueToken(ann, session, { scope: "write" }).token);
  return clean;
}, limit);

async function ask(route: string, credentials: Credentials, sessionId = mine, byUrl = false) {
  const [method = "", path = ""] = route.split(" ");
  const place = new URL(
    path
      .replace("{sessionId}", sessionId)
      .replace("{agent}", "mock")
      .replace(/\{\w+\}/g, "x"),
    url,
  );
  if (path.startsWith("/v1/fs/")) place.searchParams.set("sessionId", sessionId);
  const token = tokens.get(credentials);
  if (token !== undefined && byUrl) place.searchParams.set("token", token);
  const stop = new AbortController();
  const response = await fetch(place, {
    method,
    headers: token === undefined || byUrl ? {} : { authorization: `Bearer ${token}` },
    signal: stop.signal,
  });
  const isProblem = response.headers.get("content-type") === "application/problem+json";
  const problem = isProblem ? ((await response.json()) as { type: string; detail: string }) : undefined;
  if (!isProblem) stop.abort();
  return { status: response.status, code: problem?.type.split(":").at(-1), detail: problem?.detail };
}

function outcomeOf({ status, code }: Awaited<ReturnType<typeof ask>>): Outcome {
  if (status === 401 || status === 403) return status;
  return code === "session_not_found" ? 404 : "yes";
}

const named = Object.entries(documented).flatMap(([kind, routes]) =>
  routes.map((route) => ({ route, row: rows[kind as keyof typeof rows] as Row })),
);

it("every operation is listed here, and nothing else", () => {
  const served = guardedRoutes.map(({ method, path }) =>
    `${method} ${path}`.replace("/health", "/health?details=true"),
  );
  expect(named.map(({ route }) => route).sort()).toEqual(served.sort());
});

it.each(named)("$route answers those who may, and no one else", { timeout: limit }, async ({ route, row }) => {
  const outcomes: Partial<Record<Credentials, Outcome>> = {};
  for (const kind of kinds) outcomes[kind] = outcomeOf(await ask(route, kind));
  expect(outcomes).toEqual(row);
});

const ofSessions = named.filter(({ row }) => row["other principal"] === 404);
it.each(ofSessions)("$route says of a session of somebody else what it says of none", async ({ route }) => {
  const there = await ask(route, "other principal");
  const never = await ask(route, "other principal", "never");
  expect({ ...never, detail: never.detail?.replace("never", mine) }).toEqual(there);
});

const readable = named.filter(({ route, row }) => route.startsWith("GET ") && row.none === 401);
it.each(readable)("$route takes a token by URL where it streams, and nowhere else", async ({ route, row }) => {
  const isStream = route.endsWith("/sse");
  expect(outcomeOf(await ask(route, "read-only key", mine, true))).toBe(401);
  for (const kind of ["expired token", "token of another session", "read token"] as const) {
    expect(outcomeOf(await ask(route, kind, mine, true)), kind).toBe(isStream ? row[kind] : 401);
  }
});

it.each(["/metric%73", "/%6Detrics", "/v1/../metrics", "/v1/%2e%2e/metrics"])("%s is no way around", async (path) => {
  const authorization = `Bearer ${tokens.get("write token")}`;
  expect((await fetch(`${url}${path}`, { headers: { authorization } })).status).toBe(403);
  expect((await fetch(`${url}${path}`)).status).toBe(401);
});
