import { request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** Hand a request on over a connection, and its answer back; who goes away is told to the other. */
export function forwardRequest(request: IncomingMessage, response: ServerResponse, connection: Duplex): void {
  const { connection: _, ...headers } = request.headers;
  const { method, url: path } = request;
  const outgoing = httpRequest({ method, path, headers, createConnection: () => connection });
  outgoing.once("response", (answer) => {
    response.writeHead(answer.statusCode!, answer.rawHeaders);
    answer.pipe(response);
    answer.once("error", () => response.destroy());
  });
  outgoing.once("error", () => response.destroy());
  response.once("close", () => outgoing.destroy());
  request.pipe(outgoing);
}

/** The same for a WebSocket. */
export function forwardUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, connection: Duplex): void {
  const lines = [`${request.method} ${request.url} HTTP/1.1`];
  for (const [name, value] of Object.entries(request.headers))
    for (const one of [value ?? []].flat()) lines.push(`${name}: ${one}`);
  connection.write(`${lines.join("\r\n")}\r\n\r\n`);
  connection.write(head);
  connection.once("error", () => socket.destroy()).once("close", () => socket.destroy());
  socket.once("error", () => connection.destroy()).once("close", () => connection.destroy());
  connection.pipe(socket).pipe(connection);
}
