/** Feared: a request that is not what it should be and brings down a socket, or the runtime with all others. */
import { type SocketRequestName, socketRequests } from "@sandbox-agent-ts/protocol";
import type { Socket } from "socket.io-client";
import { expect, test } from "vitest";
import { startTestRuntime, turnsOf } from "../../__fixtures__/test-runtime.ts";
import { ask, blocksOf, connect, happens, keyOf, record } from "./__fixtures__/socket-reader.ts";

const long = 120_000;
const names = Object.keys(socketRequests) as SocketRequestName[];

/** Wrong for every request. */
const wrongForAll: readonly unknown[] = [
  null,
  7,
  "s",
  [],
  ["s"],
  {},
  { sessionId: 7 },
  { sessionId: "" },
  { sessionId: "x".repeat(513) },
  { sessionId: { toString: "s" } },
  Buffer.from("s"),
  { sessionId: Buffer.from("s"), token: Buffer.from("s") },
  JSON.parse('{"__proto__":{"sessionId":"s","token":"t"}}'),
];
const wrongFor: Record<SocketRequestName, readonly object[]> = {
  "session:join": [{ after: -1 }, { after: "1" }, { after: 1e300 }, { after: [] }],
  "session:leave": [],
  "session:send": [
    {},
    { message: 7 },
    { message: null },
    { message: "hi", idempotencyKey: "" },
    { message: "hi", idempotencyKey: "k".repeat(201) },
    { message: "hi", attachments: "a file" },
    { message: "hi", attachments: [{ path: 7 }] },
  ],
  "session:interrupt": [],
  "session:permission:reply": [
    {},
    { permissionId: "p" },
    { permissionId: "p", reply: "maybe" },
    { permissionId: "", reply: "once" },
    { reply: "once" },
  ],
  "session:question:reply": [
    {},
    { questionId: "q" },
    { questionId: "q", answers: "yes" },
    { questionId: "q", answers: [["a"], [7]] },
    { questionId: 7, answers: null },
  ],
  "connection:token": [{}, { token: 7 }, { token: "" }, { token: "t".repeat(16_385) }],
};

async function startWithSession() {
  const testRuntime = await startTestRuntime();
  const ann = await testRuntime.clientOf("ann");
  await ann.createSession("s", { agent: "mock" });
  const key = await keyOf(testRuntime, "ann");
  return { ...testRuntime, ann, key, url: testRuntime.gateway.url };
}

/** Asked without a body at all. */
const askBare = (socket: Socket, name: string) => socket.timeout(60_000).emitWithAck(name) as Promise<unknown>;

test("a body that is wrong is a 400 with a sentence, for each request, and does nothing", {
  timeout: long,
}, async () => {
  const { ann, url, key } = await startWithSession();
  const socket = connect(url, key);
  for (const name of names) {
    const refused = { ok: false, error: { status: 400, detail: expect.stringContaining(`"${name}"`) as string } };
    expect(await askBare(socket, name), name).toMatchObject(refused);
    const own = wrongFor[name].map((body) => ({ sessionId: "s", ...body }));
    for (const body of [...wrongForAll, ...own]) {
      expect(await ask(socket, name, body as never), `${name} ${JSON.stringify(body)}`).toMatchObject(refused);
    }
  }
  for (const name of ["", "toString", "__proto__", "session:", "session:join "]) {
    expect(await ask(socket, name as never, { sessionId: "s" } as never)).toMatchObject({ error: { status: 404 } });
  }
  expect(socket.connected).toBe(true);
  expect((await ann.getEvents("s")).events.map(({ type }) => type)).toEqual(["session.started"]);
  expect(await ask(socket, "session:join", { sessionId: "s" })).toMatchObject({ ok: true });
});

test("what is no packet ends its own connection and no other", { timeout: long }, async () => {
  const { url, key } = await startWithSession();
  const other = connect(url, key);
  expect(await ask(other, "session:join", { sessionId: "s" })).toMatchObject({ ok: true });
  const gone = happens(other, "disconnect").then(() => "gone");
  for (const packet of [
    "",
    "9",
    "2[",
    "2{}",
    '2["connect"]',
    "2[7]",
    '2999999999999999999999["a"]',
    "51-",
    "511-[",
    "4",
  ]) {
    const socket = connect(url, key);
    await happens(socket, "connect");
    const cut = happens(socket, "disconnect");
    socket.io.engine.write(packet);
    // Where nothing is wrong enough for the connection to end, it goes on as before.
    const outcome = await Promise.race([cut, ask(socket, "session:leave", { sessionId: "s" }).catch(() => cut)]);
    expect(outcome, packet).toBeDefined();
  }
  const unknownPlace = connect(`${url}/admin`, key);
  await happens(unknownPlace, "connect_error");
  expect(await Promise.race([gone, ask(other, "session:join", { sessionId: "s" })])).toMatchObject({ ok: true });
});

test("a request whose answer nobody wants is done all the same", { timeout: long }, async () => {
  const { client, url, key } = await startWithSession();
  const socket = connect(url, key);
  socket.emit("session:send", { sessionId: "s", message: "echo one", idempotencyKey: "k" });
  socket.emit("session:send", { sessionId: "s", message: "echo one", idempotencyKey: "k" });
  socket.emit("session:send", { sessionId: "s", message: "echo two" });
  const events = await turnsOf(client, "s", 2);
  expect(events.filter(({ type }) => type === "turn.started")).toHaveLength(2);
});

test("one who comes while the agent asks sees the request, answers it, and all are told once", {
  timeout: long,
}, async () => {
  const { url, key } = await startWithSession();
  const [early, late] = [connect(url, key), connect(url, key)];
  const told = [record(early), record(late)];
  const first = await ask(early, "session:join", { sessionId: "s" });
  const opened = happens(early, "session:request:opened") as Promise<{ requestId: string }>;
  await ask(early, "session:send", { sessionId: "s", message: "permission" });
  const { requestId } = await opened;
  const second = await ask(late, "session:join", { sessionId: "s" });
  if (!first.ok || !second.ok) throw new Error("not joined");
  expect(second.state?.blocks).toContainEqual(
    expect.objectContaining({ type: "permission", permissionId: requestId, status: "pending" }),
  );
  const ended = [early, late].map((socket) => happens(socket, "session:turn:ended"));
  const reply = { sessionId: "s", permissionId: requestId, reply: "once" } as const;
  const answers = await Promise.all([early, late].map((socket) => ask(socket, "session:permission:reply", reply)));
  expect(answers.map(({ ok }) => ok).toSorted()).toEqual([false, true]);
  expect(answers.find(({ ok }) => !ok)).toMatchObject({ error: { status: 409 } });
  await Promise.all(ended);
  expect(blocksOf(second.state, told[1]!)).toEqual(blocksOf(first.state, told[0]!));
  for (const list of told) {
    expect(list.filter(({ name }) => name === "session:request:resolved")).toHaveLength(1);
  }
});
