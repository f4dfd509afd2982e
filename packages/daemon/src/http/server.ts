import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { type HealthResponse, SandboxError } from "@sandbox-agent-ts/protocol";
import type { CorsOptions } from "../daemon-options.ts";
import { checkToken } from "./auth.ts";
import { applyCors } from "./cors.ts";
import { checkLocal } from "./local-only.ts";
import { problemType, sendProblem, toClientError } from "./problem.ts";
import type { RequestHandler } from "./request-handler.ts";

const keepAliveMs = 65_000;
/** Connections that wait to be taken while the daemon is busy; the system may allow fewer. */
const maxWaiting = 4096;
/** How long requests may go on after the daemon was asked to stop. */
const drainMs = 2_000;
/** Node does not end a connection that becomes idle while the server is closing. */
const lookForIdleMs = 20;

export interface ServerOptions {
  readonly host: string;
  readonly port: number;
  readonly token: string | null;
  readonly cors: CorsOptions;
  readonly health: () => HealthResponse;
  /** Everything but health; loaded when the first request asks for it, so that the daemon is up at once. */
  readonly handler: () => Promise<RequestHandler>;
  readonly onRequest: (request: IncomingMessage, response: ServerResponse) => void;
}

/** The door: who may come in is decided here, before any route is looked at. */
export async function listen(options: ServerOptions): Promise<Server> {
  let handler: Promise<RequestHandler> | undefined;
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    handler ??= options.handler().catch((error: unknown) => {
      handler = undefined;
      throw error;
    });
    await (await handler)(request, response);
  };
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    options.onRequest(request, response);
    try {
      if (applyCors(options.cors, request, response)) return;
      if (request.method === "GET" && request.url === "/v1/health") return sendHealth(response, options.health());
      admit(request, options);
      handle(request, response).catch((error: unknown) => fail(request, response, error));
    } catch (error) {
      fail(request, response, error);
    }
  };
  // Node's own answers to a request without Host or with an odd Expect have no problem body.
  const server = createServer({ keepAliveTimeout: keepAliveMs, requestTimeout: 0, requireHostHeader: false }, answer);
  server.on("checkExpectation", answer);
  server.on("clientError", refuseGarbage);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => reject(cannotListen(options, cause)));
    server.listen({ port: options.port, host: options.host, backlog: maxWaiting }, resolve);
  });
  return server;
}

/** Idle connections end now, busy ones when they are done, or when their time is up. */
export async function stopListening(server: Server, limitMs = drainMs): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const look = setInterval(() => server.closeIdleConnections(), lookForIdleMs);
  const force = setTimeout(() => server.closeAllConnections(), limitMs);
  await closed;
  clearInterval(look);
  clearTimeout(force);
}

export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function sendHealth(response: ServerResponse, health: HealthResponse): void {
  const body = JSON.stringify(health);
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
  response.end(body);
}

function admit(request: IncomingMessage, { token, host, cors }: ServerOptions): void {
  const path = pathOf(request);
  if (path === "/v1/health") return;
  if (request.headers.host === undefined) {
    throw new SandboxError("invalid_request", "The request has no Host header. Say which host it is for.");
  }
  if (token === null) checkLocal(request.headers, host, cors.origins);
  else if (path !== "/" && !isUi(path)) checkToken(request.headers, token);
}

/** Looks at the path as the router will, which resolves dots: `/ui/../v1/sessions` is not the user interface. */
function isUi(path: string): boolean {
  if (!path.startsWith("/ui")) return false;
  const { pathname } = new URL(`http://localhost${path}`);
  return pathname === "/ui" || pathname.startsWith("/ui/");
}

function pathOf(request: IncomingMessage): string {
  return (request.url ?? "/").split("?", 1)[0]!;
}

function fail(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.destroy();
  else sendProblem(response, requestProblem(error), pathOf(request));
}

/** A request that cannot even be made into a URL is the client's mistake, not ours. */
function requestProblem(error: unknown): SandboxError {
  if (error instanceof Error && error.name === "RequestError") {
    return new SandboxError("invalid_request", `The request line or its Host header is not valid: ${error.message}.`);
  }
  return toClientError(error);
}

/** What is not HTTP, or has too many headers, never reaches a route but gets an answer of the same shape. */
function refuseGarbage(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
  const problem = new SandboxError("invalid_request", `This is not a valid HTTP request (${error.code}).`);
  const body = JSON.stringify(problem.toProblem());
  socket.end(
    `HTTP/1.1 400 Bad Request\r\ncontent-type: ${problemType}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
      `connection: close\r\n\r\n${body}`,
  );
}

function cannotListen({ host, port }: ServerOptions, cause: NodeJS.ErrnoException): SandboxError {
  const why =
    cause.code === "EADDRINUSE"
      ? `Port ${port} on ${host} is taken. Stop what uses it or choose another with --port.`
      : `Cannot listen on ${host}:${port} (${cause.code}). Choose another --host or --port.`;
  const code = cause.code === "EACCES" ? "permission_denied" : "invalid_request";
  return new SandboxError(code, why, { details: { errno: cause.code }, cause });
}
