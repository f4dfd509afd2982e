/** Feared: one client that takes the memory, the connections or the time of all, or that is cut off without a word. */
import { randomBytes } from "node:crypto";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { request } from "node:http";
import type { Socket as NetSocket } from "node:net";
import type { Socket } from "socket.io-client";
import { expect, onTestFinished, test } from "vitest";
import { startTestRuntime, turnsOf } from "../../__fixtures__/test-runtime.ts";
import { serveRuntime } from "../listen.ts";
import { ask, connect, happens, keyOf, record } from "./__fixtures__/socket-reader.ts";
import type { SocketLimits } from "./socket-limits.ts";

const long = 180_000;
const cors = { origins: [], methods: [], headers: [], credentials: false };
const tooMany = (detail: string) => ({ status: 429, detail: expect.stringContaining(detail) as string });

async function startLimited(sockets: Partial<SocketLimits>) {
  const testRuntime = await startTestRuntime();
  const gateway = await serveRuntime(testRuntime.runtime, {
    version: "0.0.0",
    host: "127.0.0.1",
    port: 0,
    cors,
    sockets,
  });
  onTestFinished(() => gateway.close());
  const ann = await testRuntime.clientOf("ann");
  for (const id of ["a", "b", "c"]) await ann.createSession(id, { agent: "mock" });
  return { ...testRuntime, ann, url: gateway.url, key: await keyOf(testRuntime, "ann") };
}

async function refusalOf(socket: Socket): Promise<unknown> {
  return ((await happens(socket, "connect_error")) as { data?: unknown }).data;
}

test("a socket follows so many sessions, and another when it leaves one", { timeout: long }, async () => {
  const { url, key } = await startLimited({ maxJoined: 2 });
  const socket = connect(url, key);
  for (const sessionId of ["a", "b", "a"])
    expect(await ask(socket, "session:join", { sessionId })).toHaveProperty("cursor");
  expect(await ask(socket, "session:join", { sessionId: "c" })).toMatchObject({
    ok: false,
    error: tooMany("Leave one"),
  });
  expect(await ask(socket, "session:join", { sessionId: "none" })).toMatchObject({ error: { status: 404 } });
  await ask(socket, "session:leave", { sessionId: "a" });
  expect(await ask(socket, "session:join", { sessionId: "c" })).toMatchObject({ ok: true });
});

test("a principal has so many sockets, whatever others have", { timeout: long }, async () => {
  const limited = await startLimited({ maxConnections: 2 });
  const { url, key } = limited;
  const open = [connect(url, key), connect(url, key)];
  await Promise.all(open.map((socket) => happens(socket, "connect")));
  expect(await refusalOf(connect(url, key))).toMatchObject(tooMany('"ann" has 2 sockets open'));
  await happens(connect(url, await keyOf(limited, "bob")), "connect");
  open[0]!.disconnect();
  await expect
    .poll(async () => {
      const next = connect(url, key);
      const isIn = await Promise.race([happens(next, "connect").then(() => true), refusalOf(next).then(() => false)]);
      return isIn;
    })
    .toBe(true);
});

test("many sockets that come at the same time are counted, too", { timeout: long }, async () => {
  const { url, key } = await startLimited({ maxConnections: 3 });
  const outcomes = await Promise.all(
    Array.from({ length: 12 }, () => {
      const socket = connect(url, key);
      return Promise.race([happens(socket, "connect").then(() => "in"), refusalOf(socket).then(() => "refused")]);
    }),
  );
  expect(outcomes.filter((outcome) => outcome === "in")).toHaveLength(3);
});

test("who asks without waiting for answers, or sends too much at once, is cut off", { timeout: long }, async () => {
  const { url, key } = await startLimited({ maxWaitingRequests: 5, maxMessageBytes: 10_000 });
  const flood = connect(url, key);
  await happens(flood, "connect");
  const closing = happens(flood, "connection:closing");
  const gone = happens(flood, "disconnect");
  for (let n = 0; n < 50; n++) flood.emit("session:join", { sessionId: "a" });
  expect(await closing).toMatchObject(tooMany("at most 5 things"));
  await gone;

  const large = connect(url, key);
  await happens(large, "connect");
  const cut = happens(large, "disconnect");
  large.emit("session:send", { sessionId: "a", message: "x".repeat(20_000) });
  await cut;
  const polling = connect(url, key, ["polling"]);
  await happens(polling, "connect");
  const cutToo = happens(polling, "disconnect");
  polling.emit("session:send", { sessionId: "a", message: "x".repeat(20_000) });
  await cutToo;
  const next = connect(url, key);
  expect(await ask(next, "session:join", { sessionId: "a" })).toMatchObject({ ok: true, runningTurnId: null });
});

test("requests on a socket count for the limit of its key, also those that do not exist", {
  timeout: long,
}, async () => {
  const { url, runtime } = await startLimited({});
  const { key } = await runtime.keys.create({ name: "ann", requestsPerMinute: 5 });
  const socket = connect(url, key);
  await ask(socket, "session:leave", { sessionId: "a" });
  for (let n = 0; n < 3; n++) {
    expect(await ask(socket, "session:nothing" as never, {} as never)).toMatchObject({ error: { status: 404 } });
  }
  const refused = await ask(socket, "session:leave", { sessionId: "a" });
  expect(refused).toMatchObject({ ok: false, error: tooMany("Try again in") });
  expect(socket.connected).toBe(true);
});

test("a connection that does not say who it is ends", { timeout: long }, async () => {
  const { url } = await startLimited({ connectTimeoutMs: 50 });
  const headers = {
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": randomBytes(16).toString("base64"),
  };
  const asked = request(`${url}/socket.io/?EIO=4&transport=websocket`, { headers }).end();
  const [, connection] = (await once(asked, "upgrade")) as [unknown, NetSocket];
  let isClosed = false;
  for await (const bytes of connection as AsyncIterable<Buffer>) {
    // A frame that closes; what comes before it is text without such a byte.
    isClosed = bytes.includes(0x88);
    if (isClosed) break;
  }
  expect(isClosed).toBe(true);
});

/** The runtime's ends of connections, by the port of the other end. */
function serverSockets(): Map<number, NetSocket> {
  const sockets = new Map<number, NetSocket>();
  const add = (message: unknown) => {
    const { socket } = message as { socket: NetSocket };
    sockets.set(socket.remotePort!, socket);
  };
  subscribe("net.server.socket", add);
  onTestFinished(() => void unsubscribe("net.server.socket", add));
  return sockets;
}

function connectionOf(socket: Socket): NetSocket {
  return (socket.io.engine.transport as unknown as { ws: { _socket: NetSocket } }).ws._socket;
}

test("for real clients that stop reading next to nothing is held, and they have everything once", {
  timeout: long,
}, async () => {
  const served = serverSockets();
  const { url, key, ann, client } = await startLimited({});
  const reader = connect(url, key);
  const stalled = Array.from({ length: 5 }, () => connect(url, key));
  const all = [reader, ...stalled];
  const told = all.map(record);
  for (const socket of all) await ask(socket, "session:join", { sessionId: "a", after: 0 });
  for (const socket of stalled) connectionOf(socket).pause();

  const size = 500_000;
  const turns = 30;
  for (let n = 0; n < turns; n++) await ann.postMessage("a", { message: "x".repeat(size) });
  await turnsOf(client, "a", turns);
  const ended = (list: (typeof told)[number]) => list.filter(({ name }) => name === "session:turn:ended").length;
  await expect.poll(() => ended(told[0]!), { timeout: long }).toBe(turns);
  const held = stalled.map((socket) => served.get(connectionOf(socket).localPort!)!.writableLength);
  for (const bytes of held) expect(bytes).toBeGreaterThan(0);
  for (const bytes of held) expect(bytes).toBeLessThan(4 * size);

  for (const socket of stalled) connectionOf(socket).resume();
  for (const list of told) {
    await expect.poll(() => ended(list), { timeout: long }).toBe(turns);
    expect(list.map(({ data }) => data.cursor)).toEqual(told[0]!.map(({ data }) => data.cursor));
  }
});

test("one who asks on and reads no answers is cut off soon, and little is held until then", async () => {
  const served = serverSockets();
  const { url, key, ann, client } = await startLimited({ maxWaitingRequests: 20 });
  const size = 500_000;
  await ann.postMessage("a", { message: "x".repeat(size) });
  await turnsOf(client, "a", 1);
  const socket = connect(url, key);
  await happens(socket, "connect");
  const connection = connectionOf(socket);
  const end = served.get(connection.localPort!)!;
  const closed = once(end, "close");
  connection.pause();
  let held = 0;
  for (let n = 0; n < 100 && !end.destroyed; n++) {
    socket.emit("session:join", { sessionId: "a" }, () => {});
    await new Promise((resolve) => setTimeout(resolve, 20));
    held = Math.max(held, end.writableLength);
  }
  await closed;
  expect(held).toBeGreaterThan(0);
  expect(held).toBeLessThan(4 * size);
}, 40_000);
