import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { HttpClient } from "./http-client.ts";

async function listen(port = 0): Promise<{ server: Server; port: number; connections: () => number }> {
  let connections = 0;
  const server = createServer((_, response) => response.end("{}"));
  server.keepAliveTimeout = 60_000;
  server.on("connection", () => {
    connections += 1;
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return { server, port: (server.address() as AddressInfo).port, connections: () => connections };
}

test("no connection is kept, which could be one to an earlier server at the same port", async () => {
  const { server, port, connections } = await listen();
  const client = new HttpClient(`http://127.0.0.1:${port}`, "password");
  await client.request("GET", "/a");
  await client.request("POST", "/b", { body: {} });
  expect(connections()).toBe(2);
  // Closes only when nobody holds a connection.
  server.close();
  await once(server, "close");
});
