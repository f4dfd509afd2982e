import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { openBoxHost } from "../box/box-host.ts";
import { HttpService } from "../http-service.ts";
import type { ProviderService, ServiceOptions } from "../provider-service.ts";
import { api } from "./api.ts";
import type { DaytonaSandbox } from "./daytona-sandbox.ts";
import { PreviewPorts } from "./preview-ports.ts";
import { Refusal, refused } from "./refusal.ts";
import { Sandboxes } from "./sandboxes.ts";
import { streamLogs, toolbox } from "./toolbox.ts";

/** One address for the API (`/api`) and the toolboxes of all sandboxes (`/toolbox`); their ports have addresses of their own. */
export async function startDaytonaService(options: ServiceOptions = {}): Promise<ProviderService> {
  const apiKey = `dtn_${randomBytes(32).toString("hex")}`;
  const isKey = (bearer: string) => bearer === apiKey;
  const host = await openBoxHost();
  const sandboxes = new Sandboxes(host, options);
  const ports: PreviewPorts = new PreviewPorts({
    sandboxes,
    faults: () => http.faults,
    isKey,
    onLookUp(bearer) {
      const body = isKey(bearer) ? "(hidden)" : bearer;
      http.requests.push({ method: "GET", path: "/api/preview/access", headers: {}, body });
    },
    loginUrl: () => `${http.url}/login`,
  });
  const use = (id: string) => inUse(sandboxes, id);
  const http: HttpService = new HttpService({
    routes: [...api({ sandboxes, ports, toolboxUrl: () => `${http.url}/toolbox` }), ...toolbox({ use })],
    words: { unauthorized, refused },
    secretHeaders: ["authorization"],
    isAuthorized: (request) => isKey(bearerOf(request)),
    before: loginPage,
    onUpgrade(request, socket, head) {
      if (isKey(bearerOf(request))) streamLogs(request, socket, head, { use });
      else socket.destroy();
    },
    onRequest: options.onRequest,
  });
  try {
    await http.listen(options.port);
  } catch (error) {
    await host.close();
    throw error;
  }
  const apiUrl = `${http.url}/api`;
  return {
    name: "daytona",
    settings: { apiKey, apiUrl },
    env: { DAYTONA_API_KEY: apiKey, DAYTONA_API_URL: apiUrl },
    boxes: host.boxes,
    faults: http.faults,
    ledger: sandboxes.ledger,
    requests: http.requests,
    lose: (id) => sandboxes.lose(id),
    expire: (id) => sandboxes.expire(id),
    move: async (id) => sandboxes.find(id).renewToken(),
    async close() {
      await http.close();
      await ports.close();
      await sandboxes.settled();
      await host.close();
    },
  };
}

/** What is gone lets nobody in, what does not run has no address. */
function inUse(sandboxes: Sandboxes, id: string): DaytonaSandbox {
  const found = sandboxes.all.find((sandbox) => sandbox.id === id);
  if (found === undefined) throw new Refusal(401, "authentication failed: Bearer token is invalid");
  if (found.state !== "started") throw new Refusal(400, "no IP address found. Is the Sandbox started?");
  sandboxes.touch(found);
  return found;
}

const bearerOf = ({ headers }: IncomingMessage) => /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1] ?? "";

function unauthorized(response: ServerResponse): void {
  refused(response, 401, "Invalid credentials");
}

/** Where a redirect to a login page leads. */
function loginPage(request: IncomingMessage, response: ServerResponse): boolean {
  if (request.url !== "/login") return false;
  request.resume();
  response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Sign in</title>");
  return true;
}
