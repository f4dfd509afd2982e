import { setMaxListeners } from "node:events";
import type { IncomingMessage } from "node:http";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { UiSource } from "@sandbox-agent-ts/server";
import { type CorsOptions, listen as listenOn, logRequest, portOf, stopListening } from "@sandbox-agent-ts/server";
import type { Context } from "hono";
import { ensureMay } from "../access/may.ts";
import type { Principal } from "../access/principal.ts";
import type { AgentRuntime } from "../runtime.ts";
import { type Asked, audit } from "./audit.ts";
import { credentialsOf } from "./credentials-of.ts";
import { OpenResponses } from "./open-responses.ts";
import { isForSockets, LazySockets } from "./socket/lazy-sockets.ts";
import type { SocketLimits } from "./socket/socket-limits.ts";

export interface GatewayOptions {
  readonly version: string;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly cors: CorsOptions;
  readonly ui?: string | UiSource | undefined;
  readonly sockets?: Partial<SocketLimits> | undefined;
}

export interface Gateway {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serve `/v1` over all sessions of a runtime, Socket.IO and `/metrics`. No route but health answers without an API key; those
 * who open a socket say who they are on it.
 */
export async function serveRuntime(runtime: AgentRuntime, options: GatewayOptions): Promise<Gateway> {
  const { version, host, port: wanted, cors, ui } = options;
  const { metrics } = runtime;
  const startedAt = Date.now();
  const closing = new AbortController();
  // One for each open stream.
  setMaxListeners(0, closing.signal);
  const principals = new WeakMap<IncomingMessage, Principal>();
  const open = new OpenResponses(runtime.access);
  const sockets = new LazySockets(runtime, { origins: cors.origins, limits: options.sockets });
  const asked = new WeakMap<IncomingMessage, Asked>();
  const health = () => ({ status: "ok" as const, version, uptimeMs: Date.now() - startedAt });
  const requestOf = (c: Context) => (c.env as { incoming: IncomingMessage }).incoming;
  const knownPrincipal = (c: Context) => principals.get(requestOf(c));
  const principalOf = (c: Context): Principal => {
    const principal = knownPrincipal(c);
    if (principal) return principal;
    throw new SandboxError("token_invalid", "This runtime needs an API key. Send it as `Authorization: Bearer <key>`.");
  };
  const server = await listenOn({
    host,
    port: wanted,
    cors,
    admit: async (request) => {
      if (isForSockets(request)) return;
      principals.set(request, await runtime.access.principalOf(credentialsOf(request, { origins: cors.origins })));
    },
    health,
    handler: async () => {
      const [{ createRequestHandler }, { sessionsService }, { fileRoutes }, { guard }, { apiRoutes }, guarded] =
        await Promise.all([
          import("@sandbox-agent-ts/server/api"),
          import("./sessions-service.ts"),
          import("./file-routes.ts"),
          import("./guard.ts"),
          import("./api/api-routes.ts"),
          import("../access/route-actions.ts"),
        ]);
      const sessions = (c: Context) => sessionsService(runtime.sessions, principalOf(c));
      const handle = createRequestHandler({
        version,
        kind: "runtime",
        health,
        memory: () => ({}),
        log: runtime.log,
        agents: runtime.catalog,
        sessions,
        before: (app) => guard(app, knownPrincipal, (c, operation) => asked.set(requestOf(c), operation)),
        files: (app) =>
          fileRoutes(
            app,
            async (c, action, sessionId) => {
              ensureMay(principalOf(c), action, await runtime.sessions.ownership(sessionId));
              return runtime.sessions.loadSession(sessionId);
            },
            runtime.checkpoints,
          ),
        moreRoutes: guarded.guardedRoutes,
        others: (app) => {
          apiRoutes(app, runtime, { principalOf, version });
          app.get("/metrics", async (c) => {
            c.header("content-type", metrics.contentType);
            return c.body(await metrics.text());
          });
        },
        ui,
        closing: closing.signal,
      });
      return (request, response) =>
        isForSockets(request) ? sockets.handleRequest(request, response) : handle(request, response);
    },
    upgrade: (request, socket, head) => sockets.handleUpgrade(request, socket, head),
    onRequest: (request, response) => {
      logRequest(runtime.log, request, response);
      open.add(response, () => principals.get(request));
      response.once("close", () => {
        const operation = asked.get(request);
        metrics.requested(request.method, routeIn(operation), response.statusCode);
        audit(runtime.audit, request, { principal: principals.get(request), operation, status: response.statusCode });
      });
    },
    onError: (err) => runtime.log.error({ err }, "a connection could not be accepted"),
  });
  const port = portOf(server);
  return {
    port,
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    close: async () => {
      closing.abort();
      open.close();
      await sockets.close();
      await stopListening(server);
    },
  };
}

/** For metrics: the route of a known operation. */
function routeIn(asked: Asked | undefined): string | undefined {
  const [, route] = asked?.operation.split(" ") ?? [];
  return route?.startsWith("/") ? route : undefined;
}
