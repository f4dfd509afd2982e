import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { type HealthResponse, SandboxError } from "@sandbox-agent-ts/protocol";
import { descriptorLimit } from "@sandbox-agent-ts/store/directory";
import { type ConnectionLimits, guardConnections } from "./connections.ts";
import { applyCors, type CorsOptions } from "./cors.ts";
import { problemType, sendProblem, toClientError } from "./problem.ts";

const keepAliveMs = 65_000;
/** A connection that has not sent the whole head of its first request by then is closed. */
const headersMs = 30_000;
const lookForLateHeadersMs = 5_000;
/** Connections that wait to be taken while the daemon is busy; the system may allow fewer. */
const maxWaiting = 4096;
/** How long requests may go on after the daemon was asked to stop. */
const drainMs = 2_000;
/** Node does not end a connection that becomes idle while the server is closing. */
const lookForIdleMs = 20;

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<unknown>;

export interface ServerOptions {
  readonly host: string;
  readonly port: number;
  /** Throws or rejects where the request may not come in. Not asked about health, the root and the inspector. */
  readonly admit: (request: IncomingMessage) => void | Promise<void>;
  /** Whether `admit` is also asked about the root and the inspector. */
  readonly admitsPages?: boolean | undefined;
  readonly cors: CorsOptions;
  readonly health: () => HealthResponse;
  /** Everything but health; loaded when the first request asks for it, so that the daemon is up at once. */
  readonly handler: () => Promise<RequestHandler>;
  readonly onRequest: (request: IncomingMessage, response: ServerResponse) => void;
  /** A connection could not be accepted, as when descriptors are used up. The next one is tried all the same. */
  readonly onError: (error: Error) => void;
  /** Answers whether it takes over a connection that wants to be something else than HTTP; else it stays HTTP. */
  readonly upgrade?: ((request: IncomingMessage, socket: Socket, head: Buffer) => boolean) | undefined;
  readonly limits?: Partial<ConnectionLimits & { readonly headersMs: number }>;
}

/** Half of the descriptors; files, agents and their pipes need the rest. */
const defaultLimits = (): ConnectionLimits => ({
  connections: Math.max(8, Math.floor(descriptorLimit() / 2)),
  unreadBodyMs: 5_000,
  stalledBodyMs: 120_000,
});

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
    guard.answering(request, response);
    options.onRequest(request, response);
    try {
      if (applyCors(options.cors, request, response)) return;
      if (request.method === "GET" && request.url === "/v1/health") return sendHealth(response, options.health());
      const admitted = admit(request, options);
      const handled = admitted ? admitted.then(() => handle(request, response)) : handle(request, response);
      handled.catch((error: unknown) => fail(request, response, error));
    } catch (error) {
      fail(request, response, error);
    }
  };
  // Node's own answers to a request without Host or with an odd Expect have no problem body.
  // Without a limit for whole requests, which may be long uploads, Node has none for their headers unless told.
  const settings = {
    keepAliveTimeout: keepAliveMs,
    requestTimeout: 0,
    headersTimeout: options.limits?.headersMs ?? headersMs,
    connectionsCheckingInterval: Math.min(lookForLateHeadersMs, options.limits?.headersMs ?? headersMs),
    requireHostHeader: false,
  };
  const server = createServer(settings, answer);
  const guard = guardConnections(server, { ...defaultLimits(), ...options.limits });
  server.on("checkExpectation", answer);
  server.on("clientError", refuseGarbage);
  server.on("connect", refuseTunnel);
  const { upgrade } = options;
  if (upgrade) {
    server.on("upgrade", (request: IncomingMessage, socket: Socket, head: Buffer) => {
      if (upgrade(request, socket, head)) guard.upgraded(socket);
      else stayWithHttp(server, request, socket, head);
    });
  }
  await new Promise<void>((resolve, reject) => {
    const failed = (cause: NodeJS.ErrnoException) => reject(cannotListen(options, cause));
    server.once("error", failed);
    server.listen({ port: options.port, host: options.host, backlog: maxWaiting }, () => {
      server.off("error", failed);
      server.on("error", options.onError);
      resolve();
    });
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

function admit(request: IncomingMessage, options: ServerOptions): void | Promise<void> {
  const path = pathOf(request);
  if (path === "/v1/health" && !asksForDetails(request)) return;
  if (request.headers.host === undefined) {
    throw new SandboxError("invalid_request", "The request has no Host header. Say which host it is for.");
  }
  if (options.admitsPages || (path !== "/" && !isUi(path))) return options.admit(request);
}

/** What the daemon holds in memory is not for everybody. */
function asksForDetails({ url = "" }: IncomingMessage): boolean {
  return new URLSearchParams(url.split("?").slice(1).join("?")).has("details");
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

/** What is not HTTP, has too many headers or takes too long never reaches a route but gets an answer of the same shape. */
function refuseGarbage(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
  const why =
    error.code === "ERR_HTTP_REQUEST_TIMEOUT"
      ? "The head of the request did not arrive in time. Send it at once."
      : `This is not a valid HTTP request (${error.code}).`;
  endWithProblem(socket, new SandboxError("invalid_request", why));
}

/**
 * Some clients offer HTTP/2 with every request. Node would answer them itself if nobody could be upgraded; as it is, it has
 * let go of the connection, and gets it again with the same request without the offer.
 */
function stayWithHttp(server: Server, request: IncomingMessage, socket: Socket, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request;
  let text = `${method} ${url} HTTP/${httpVersion}\r\n`;
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const isOffer = /^(upgrade|connection|http2-settings)$/i.test(rawHeaders[n]!);
    if (!isOffer) text += `${rawHeaders[n]}: ${rawHeaders[n + 1]}\r\n`;
  }
  socket.unshift(Buffer.concat([Buffer.from(`${text}\r\n`, "latin1"), head]));
  server.emit("connection", socket);
}

function refuseTunnel(_request: IncomingMessage, socket: Socket): void {
  endWithProblem(socket, new SandboxError("invalid_request", "This daemon is not a proxy: it does not know CONNECT."));
}

function endWithProblem(socket: Socket, problem: SandboxError): void {
  const details = problem.toProblem();
  const body = JSON.stringify(details);
  socket.on("error", () => {});
  socket.end(
    `HTTP/1.1 ${details.status} ${details.title}\r\ncontent-type: ${problemType}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
  socket.destroySoon();
}

function cannotListen({ host, port }: ServerOptions, cause: NodeJS.ErrnoException): SandboxError {
  const why =
    cause.code === "EADDRINUSE"
      ? `Port ${port} on ${host} is taken. Stop what uses it or choose another with --port.`
      : `Cannot listen on ${host}:${port} (${cause.code}). Choose another --host or --port.`;
  const code = cause.code === "EACCES" ? "permission_denied" : "invalid_request";
  return new SandboxError(code, why, { details: { errno: cause.code }, cause });
}
