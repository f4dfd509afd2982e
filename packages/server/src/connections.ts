import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

export interface ConnectionLimits {
  /** At most this many at a time; the connection that is idle for longest makes room for a new one. */
  readonly connections: number;
  /** How long the rest of a body is read when the request was answered without it, as after a refusal. */
  readonly unreadBodyMs: number;
  /** How long the client may take for the next piece of a body that is being read. */
  readonly stalledBodyMs: number;
}

interface Progress {
  readonly request: IncomingMessage;
  bytesRead: number;
  since: number;
}

/** What the guard has to be told. */
export interface ConnectionGuard {
  answering(request: IncomingMessage, response: ServerResponse): void;
  /** From now on the connection is something else than HTTP, and never idle. */
  upgraded(socket: Socket): void;
}

/** Closes connections that only hold a descriptor. */
export function guardConnections(
  server: Server,
  { connections, unreadBodyMs, stalledBodyMs }: ConnectionLimits,
): ConnectionGuard {
  /** In the order in which they became idle. */
  const idle = new Set<Socket>();
  const requestsOf = new Map<Socket, number>();
  const bodies = new Set<Progress>();

  server.on("connection", (socket: Socket) => {
    if (requestsOf.size >= connections) {
      const [longest] = idle;
      if (longest === undefined) return refuse(socket);
      forget(longest);
      longest.destroy();
    }
    requestsOf.set(socket, 0);
    idle.add(socket);
    socket.once("close", () => forget(socket));
  });

  function forget(socket: Socket): void {
    requestsOf.delete(socket);
    idle.delete(socket);
  }

  function count(socket: Socket, change: 1 | -1): void {
    const before = requestsOf.get(socket);
    if (before === undefined) return;
    requestsOf.set(socket, before + change);
    if (before + change === 0) idle.add(socket);
    else idle.delete(socket);
  }

  const sweep = setInterval(() => {
    for (const body of bodies) {
      const { request } = body;
      const { bytesRead } = request.socket;
      const isOurTurn = request.readableLength > 0;
      if (request.complete || request.destroyed) bodies.delete(body);
      else if (isOurTurn || bytesRead !== body.bytesRead) Object.assign(body, { bytesRead, since: performance.now() });
      else if (performance.now() - body.since > stalledBodyMs) request.socket.destroy();
    }
  }, stalledBodyMs / 4).unref();
  server.once("close", () => clearInterval(sweep));

  const answering = (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    count(socket, 1);
    const body = { request, bytesRead: socket.bytesRead, since: performance.now() };
    if (hasBody(request)) bodies.add(body);
    response.once("close", () => {
      bodies.delete(body);
      count(socket, -1);
      if (request.complete || socket.destroyed) return;
      const patience = setTimeout(() => socket.destroy(), unreadBodyMs).unref();
      request.once("close", () => clearTimeout(patience));
    });
  };
  return { answering, upgraded: (socket) => count(socket, 1) };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

function refuse(socket: Socket): void {
  socket.end("HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
  socket.destroySoon();
}
