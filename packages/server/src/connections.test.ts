/** Feared: connections of somebody without a token that only hold a descriptor, until nobody else gets in. */
import { once } from "node:events";
import type { Server } from "node:http";
import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { checkToken } from "./auth.ts";
import { listen, portOf, type ServerOptions, stopListening } from "./listen.ts";

const never = 600_000;

async function start(limits: ServerOptions["limits"]): Promise<Server> {
  const server = await listen({
    host: "127.0.0.1",
    port: 0,
    admit: ({ headers }) => checkToken(headers, "secret"),
    cors: { origins: [], methods: [], headers: [], credentials: false },
    health: () => ({ status: "ok" }) as const,
    onRequest: () => {},
    onError: () => {},
    handler: async () => async (request, response) => {
      response.writeHead(200).flushHeaders();
      for await (const _ of request);
      response.end();
    },
    limits: { headersMs: never, connections: 100, unreadBodyMs: never, stalledBodyMs: never, ...limits },
  });
  onTestFinished(() => stopListening(server, 0));
  return server;
}

async function open(server: Server, text = ""): Promise<Socket> {
  const socket = connect(portOf(server), "127.0.0.1").on("error", () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  socket.write(text);
  return socket;
}

/** What is received until the daemon closes the connection. */
async function received(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  if (!socket.closed) await once(socket, "close");
  return Buffer.concat(chunks).toString("latin1");
}

const healthy = async (server: Server) => (await fetch(`http://127.0.0.1:${portOf(server)}/v1/health`)).status;

test.each([
  ["says nothing", ""],
  ["never finishes its headers", "GET /v1/agents HTTP/1.1\r\nhost: localhost\r\nx: "],
])("a connection that %s is closed, and told why", async (_what, text) => {
  const server = await start({ headersMs: 50 });
  expect(await received(await open(server, text))).toContain("did not arrive in time");
});

const head = "POST /v1/agents HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000\r\n";

test("the rest of a refused request is not waited for", async () => {
  const server = await start({ unreadBodyMs: 50 });
  const socket = await open(server, `${head}\r\nx`);
  expect(await received(socket)).toMatch(/^HTTP\/1\.1 401 /);
});

test("a body of which nothing more comes is not waited for", async () => {
  const server = await start({ stalledBodyMs: 50 });
  const socket = await open(server, `${head}authorization: Bearer secret\r\n\r\nx`);
  expect(await received(socket)).toMatch(/^HTTP\/1\.1 200 /);
});

test("an idle connection makes room for a new one", async () => {
  const server = await start({ connections: 4 });
  const silent = await Promise.all(Array.from({ length: 4 }, () => open(server)));
  expect(await healthy(server)).toBe(200);
  await Promise.any(silent.map(received));
});

test("where all connections are at work a new one is told to come back", async () => {
  const server = await start({ connections: 2 });
  for (let count = 0; count < 2; count++) {
    const busy = await open(server, `${head}authorization: Bearer secret\r\n\r\nx`);
    await once(busy, "data");
  }
  expect(await received(await open(server))).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: 1/);
});

test("a connection that cannot be accepted does not end the daemon", async () => {
  const server = await start({});
  server.emit("error", Object.assign(new Error("accept EMFILE"), { code: "EMFILE" }));
  expect(await healthy(server)).toBe(200);
});
