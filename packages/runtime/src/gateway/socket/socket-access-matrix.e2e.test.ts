/**
 * Feared: a request on a socket that answers somebody it should not. Every one is asked for with every kind of credentials;
 * what is said here is what `docs/security.mdx` promises. A request that is not listed fails the test.
 */
import { type SocketRequest, type SocketRequestName, socketRequests } from "@sandbox-agent-ts/protocol";
import { io, type Socket } from "socket.io-client";
import { beforeAll, expect, it } from "vitest";
import { secretKey, startTestRuntime, type TestRuntime } from "../../__fixtures__/test-runtime.ts";
import { SessionTokens } from "../../access/session-tokens.ts";
import { ask, connect, happens, keyOf } from "./__fixtures__/socket-reader.ts";

type Credentials = (typeof kinds)[number];
const kinds = [
  "none",
  "wrong key",
  "expired token",
  "revoked key",
  "key revoked while connected",
  "token expired while connected",
  "read-only key",
  "other principal",
  "token of another session",
  "read token",
  "write token",
] as const;

/** `yes`: whatever the answer is, it is not a refusal. */
type Outcome = "yes" | 401 | 403 | 404;
type Row = Readonly<Record<Credentials, Outcome>>;

const strangers = {
  none: 401,
  "wrong key": 401,
  "expired token": 401,
  "revoked key": 401,
  "key revoked while connected": 401,
  "token expired while connected": 401,
} as const;
const rows = {
  /** About the socket itself, whatever the session is. */
  common: {
    ...strangers,
    "read-only key": "yes",
    "other principal": "yes",
    "token of another session": "yes",
    "read token": "yes",
    "write token": "yes",
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
  /** Goes on with a token of the session, where it is a socket of that session already. */
  "renews a session token": {
    ...strangers,
    "read-only key": 403,
    "other principal": 403,
    "token of another session": 403,
    "read token": "yes",
    "write token": "yes",
  },
} as const satisfies Record<string, Row>;

const documented: Readonly<Record<SocketRequestName, keyof typeof rows>> = {
  "session:join": "reads a session",
  "session:leave": "common",
  "session:send": "writes to a session",
  "session:interrupt": "writes to a session",
  "session:permission:reply": "writes to a session",
  "session:question:reply": "writes to a session",
  "connection:token": "renews a session token",
};

const bodies: { readonly [Name in SocketRequestName]: (sessionId: string) => SocketRequest<Name> } = {
  "session:join": (sessionId) => ({ sessionId }),
  "session:leave": (sessionId) => ({ sessionId }),
  "session:send": (sessionId) => ({ sessionId, message: "hi" }),
  "session:interrupt": (sessionId) => ({ sessionId }),
  "session:permission:reply": (sessionId) => ({ sessionId, permissionId: "x", reply: "once" }),
  "session:question:reply": (sessionId) => ({ sessionId, questionId: "x", answers: null }),
  "connection:token": () => ({ token: credentials.get("write token")! }),
};

const mine = "mine";
const limit = 180_000;
let testRuntime: TestRuntime;
const credentials = new Map<Credentials, string>();
const ann = { principal: "ann", scope: "write" } as const;

beforeAll(async () => {
  let clean = async () => {};
  testRuntime = await startTestRuntime({
    atEnd: (work) => {
      clean = work;
    },
  });
  const { runtime } = testRuntime;
  for (const id of [mine, "other"])
    await runtime.sessions.createSession({ sessionId: id, agent: "mock", owner: "ann" });
  const session = await runtime.sessions.ownership(mine);
  const other = await runtime.sessions.ownership("other");
  const revoked = await runtime.keys.create({ name: "ann" });
  await runtime.keys.revoke(revoked.id);
  const readOnly = await runtime.keys.create({ name: "ann", scope: "read" });
  const expired = { session, scope: "write", expiresAt: Date.now() - 1, issuer: ann } as const;
  credentials.set("wrong key", "sak_no-key-of-this-runtime");
  credentials.set("expired token", new SessionTokens(secretKey).sign(expired));
  credentials.set("revoked key", revoked.key);
  credentials.set("read-only key", readOnly.key);
  credentials.set("other principal", await keyOf(testRuntime, "bob"));
  credentials.set("token of another session", runtime.access.issueToken(ann, other, { scope: "write" }).token);
  credentials.set("read token", runtime.access.issueToken(ann, session, { scope: "read" }).token);
  credentials.set("write token", runtime.access.issueToken(ann, session, { scope: "write" }).token);
  return clean;
}, limit);

/** A socket that came in and whose credentials hold no more, before the runtime has looked again. */
async function outlived(kind: Credentials): Promise<Socket> {
  const { runtime, gateway } = testRuntime;
  if (kind === "key revoked while connected") {
    const { key, id } = await runtime.keys.create({ name: "ann" });
    const socket = connect(gateway.url, key);
    await happens(socket, "connect");
    await runtime.keys.revoke(id);
    return socket;
  }
  const session = await runtime.sessions.ownership(mine);
  const expiresAt = Date.now() + 1_000;
  const token = new SessionTokens(secretKey).sign({ session, scope: "write", expiresAt, issuer: ann });
  const socket = connect(gateway.url, token);
  await happens(socket, "connect");
  await new Promise((resolve) => setTimeout(resolve, expiresAt - Date.now() + 1));
  return socket;
}

interface Answered {
  readonly status: number;
  readonly code?: string | undefined;
  readonly detail?: string | undefined;
}

function answered(problem: unknown): Answered {
  const { status, type, detail } = problem as { status: number; type: string; detail?: string };
  return { status, code: type.split(":").at(-1), detail };
}

async function answerTo(name: SocketRequestName, kind: Credentials, sessionId = mine): Promise<Answered> {
  const isOutlived = kind.endsWith("while connected");
  const socket = isOutlived ? await outlived(kind) : connect(testRuntime.gateway.url, credentials.get(kind));
  const refused = happens(socket, "connect_error").then((error) => answered((error as { data?: unknown }).data));
  const closed = happens(socket, "connection:closing").then(answered);
  const asked = ask(socket, name, bodies[name](sessionId) as never).then((answer) =>
    answer.ok ? { status: 200 } : answered(answer.error),
  );
  // An answer that comes after the end of the connection is none.
  const answer = await Promise.race([refused, closed, asked.catch(() => closed)]);
  socket.disconnect();
  return answer;
}

function outcomeOf({ status, code }: Answered): Outcome {
  if (status === 401 || status === 403) return status;
  return code === "session_not_found" ? 404 : "yes";
}

const named = Object.entries(documented).map(([name, row]) => ({
  name: name as SocketRequestName,
  row: rows[row] as Row,
}));

it("every request is listed here, and nothing else", () => {
  expect(Object.keys(documented).sort()).toEqual(Object.keys(socketRequests).sort());
});

it.each(named)("$name answers those who may, and no one else", { timeout: limit }, async ({ name, row }) => {
  const outcomes: Partial<Record<Credentials, Outcome>> = {};
  for (const kind of kinds) outcomes[kind] = outcomeOf(await answerTo(name, kind));
  expect(outcomes).toEqual(row);
});

it.each(named)("$name says of a session of somebody else what it says of none", async ({ name }) => {
  for (const kind of ["other principal", "token of another session"] as const) {
    const there = await answerTo(name, kind);
    const never = await answerTo(name, kind, "never");
    expect({ ...never, detail: never.detail?.replace("never", mine) }, kind).toEqual(there);
  }
});

it("takes a session token by URL, and no key", async () => {
  const { url } = testRuntime.gateway;
  const comesIn = async (token: string) => {
    const socket = io(url, { query: { token }, transports: ["websocket"], forceNew: true, reconnection: false });
    const outcome = await Promise.race([
      happens(socket, "connect").then(() => "yes" as const),
      happens(socket, "connect_error").then((error) => answered((error as { data?: unknown }).data).status),
    ]);
    socket.disconnect();
    return outcome;
  };
  expect(await comesIn(credentials.get("read token")!)).toBe("yes");
  expect(await comesIn(credentials.get("expired token")!)).toBe(401);
  expect(await comesIn(credentials.get("other principal")!)).toBe(401);
});

it("keeps who changed something, or was refused to, as over HTTP", async () => {
  const { runtime, store } = testRuntime;
  await answerTo("session:interrupt", "read token");
  await answerTo("session:interrupt", "other principal");
  await answerTo("session:join", "other principal");
  await runtime.audit.settled();
  const kept = await store.audit({ limit: 2 });
  const operation = "session:interrupt";
  expect(kept).toMatchObject([
    { principal: "bob", operation, sessionId: mine, status: 404, byToken: false },
    { principal: "ann", operation, sessionId: mine, status: 403, byToken: true },
  ]);
});
