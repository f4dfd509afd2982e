import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { openBoxHost } from "../box/box-host.ts";
import { HttpService } from "../http-service.ts";
import type { ProviderService, ServiceOptions } from "../provider-service.ts";
import { Containers } from "./containers.ts";
import { forwardToPort, portTarget, upgradeToPort } from "./ports.ts";
import { refuse } from "./refusal.ts";
import { routesOf } from "./routes.ts";

const words = {
  unauthorized,
  refused: (response: ServerResponse, status: number, message: string) => refuse(response, status, message),
};

/** `mounts` is what the image has: the daemon at `/opt/sandbox-agent`, above all. */
export async function startCloudflareService(options: ServiceOptions = {}): Promise<ProviderService> {
  const key = randomBytes(24).toString("hex");
  const host = await openBoxHost();
  const containers = new Containers(host, options);
  const isAuthorized = ({ headers }: IncomingMessage) => headers.authorization === `Bearer ${key}`;
  const http: HttpService = new HttpService({
    routes: routesOf(containers),
    words,
    secretHeaders: ["authorization"],
    isAuthorized,
    before(request, response) {
      const target = portTarget(request);
      if (target === undefined) return loginPage(request, response);
      const fault = http.faults.next({ name: "port", id: target.id, request });
      if (http.faults.apply(fault, response, words)) request.resume();
      else if (!isAuthorized(request)) unauthorized(response);
      else void forwardToPort(containers, target, request, response);
      return true;
    },
    onUpgrade(request, socket, head) {
      const target = portTarget(request);
      const fault = target && http.faults.next({ name: "port", id: target.id, request });
      if (target && !fault && isAuthorized(request)) void upgradeToPort(containers, target, request, socket, head);
      else socket.destroy();
    },
    onRequest: options.onRequest,
  });
  const close = async () => {
    await host.close();
    containers.close();
  };
  try {
    await http.listen(options.port);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    name: "cloudflare",
    settings: { url: http.url, key },
    env: { SANDBOX_AGENT_CLOUDFLARE_URL: http.url, SANDBOX_AGENT_CLOUDFLARE_KEY: key },
    boxes: host.boxes,
    faults: http.faults,
    ledger: containers.ledger,
    requests: http.requests,
    lose: (id) => containers.end(id, "fault", "Its container was stopped."),
    expire: (id) => containers.fallAsleep(id),
    async close() {
      await http.close();
      await close();
    },
  };
}

function unauthorized(response: ServerResponse): void {
  refuse(response, 401, "The key is missing or not the Worker's.", "unauthorized");
}

/** Where a redirect to a login page leads. */
function loginPage(request: IncomingMessage, response: ServerResponse): boolean {
  if (request.url !== "/login") return false;
  request.resume();
  response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Sign in</title>");
  return true;
}
