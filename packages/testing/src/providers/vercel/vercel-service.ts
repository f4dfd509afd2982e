import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { openBoxHost } from "../box/box-host.ts";
import { HttpService } from "../http-service.ts";
import type { ProviderService, ServiceOptions } from "../provider-service.ts";
import { controlPlane } from "./control-plane.ts";
import { refuse } from "./refusal.ts";
import { Sandboxes } from "./sandboxes.ts";
import { sessionRoutes } from "./session-routes.ts";
import type { Snapshot } from "./vercel-sandbox.ts";

const teamId = "team_of_the_tests";
const projectId = "prj_of_the_tests";
const words = { unauthorized, refused: refuse };

export interface VercelService extends ProviderService {
  /** What is kept, and billed, of sandboxes that do not run. */
  readonly snapshots: readonly Snapshot[];
  /** The time of what is kept of a sandbox is up. */
  forgetSnapshots(name: string): void;
}

/** Ports of sandboxes have addresses of their own on loopback. */
export async function startVercelService(options: ServiceOptions = {}): Promise<VercelService> {
  const token = `vercel${randomBytes(20).toString("hex")}`;
  const host = await openBoxHost();
  const sandboxes: Sandboxes = new Sandboxes(host, options, (id) => ({
    interfere: (request, response) =>
      loginPage(request, response) ||
      http.faults.apply(http.faults.next({ name: "port", id, request }), response, words),
    upgradeFault: (request) => http.faults.next({ name: "port", id, request }),
  }));
  const http = new HttpService({
    routes: [...controlPlane(sandboxes), ...sessionRoutes(sandboxes)],
    words,
    secretHeaders: ["authorization"],
    isAuthorized: ({ headers, url = "" }) =>
      headers.authorization === `Bearer ${token}` &&
      new URL(url, "http://service").searchParams.get("teamId") === teamId,
    before: loginPage,
    onRequest: options.onRequest,
  });
  try {
    await http.listen(options.port);
  } catch (error) {
    await host.close();
    throw error;
  }
  return {
    name: "vercel",
    settings: { token, teamId, projectId, apiUrl: http.url },
    env: { VERCEL_TOKEN: token, VERCEL_TEAM_ID: teamId, VERCEL_PROJECT_ID: projectId },
    boxes: host.boxes,
    faults: http.faults,
    ledger: sandboxes.ledger,
    requests: http.requests,
    snapshots: sandboxes.snapshots,
    forgetSnapshots: (name) => sandboxes.forgetSnapshots(name),
    async lose(name) {
      await sandboxes.destroy(name, "fault", true);
    },
    async expire(name) {
      await sandboxes.stop(name, "deadline");
    },
    move: (name) => sandboxes.move(name),
    async close() {
      await sandboxes.close();
      await http.close();
      await host.close();
    },
  };
}

function unauthorized(response: ServerResponse): void {
  refuse(response, 403, "Not authorized");
}

/** Where a redirect to a login page leads. */
function loginPage(request: IncomingMessage, response: ServerResponse): boolean {
  if (request.url !== "/login") return false;
  request.resume();
  response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Sign in</title>");
  return true;
}
