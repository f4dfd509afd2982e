import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { openBoxHost } from "../box/box-host.ts";
import { HttpService } from "../http-service.ts";
import type { ProviderService, ServiceOptions } from "../provider-service.ts";
import { controlPlane } from "./control-plane.ts";
import { envd, envdPort } from "./envd.ts";
import { forwardPort, forwardSocket, targetOf } from "./port-proxy.ts";
import { Sandboxes } from "./sandboxes.ts";
import { templateRoutes, uploadPath } from "./template-routes.ts";
import { Templates } from "./templates.ts";

/**
 * One address for all three: the API, envd (told apart by the headers that the SDK sends to a `sandboxUrl`) and the ports of
 * sandboxes, whose host names are below `localhost`.
 */
export async function startE2bService(options: ServiceOptions = {}): Promise<ProviderService> {
  const apiKey = `e2b_${randomBytes(20).toString("hex")}`;
  const host = await openBoxHost();
  const templates = new Templates();
  const sandboxes = new Sandboxes(host, templates, options);
  const http: HttpService = new HttpService({
    routes: [...controlPlane(sandboxes), ...templateRoutes(templates, () => http.url), ...envd(sandboxes)],
    words: { unauthorized, refused },
    secretHeaders: ["x-api-key", "x-access-token"],
    isAuthorized(request) {
      if (request.url?.startsWith(uploadPath)) return true;
      const { "x-api-key": key, "x-access-token": token } = request.headers;
      const target = targetOf(request);
      return target ? token === sandboxes.running(target.id)?.envdToken : key === apiKey;
    },
    before(request, response) {
      const target = targetOf(request);
      if (target === undefined) return loginPage(request, response);
      const sandbox = sandboxes.running(target.id);
      if (sandbox && target.port === envdPort) return false;
      const fault = http.faults.next({ name: "port", id: target.id, request });
      if (!http.faults.apply(fault, response, { unauthorized, refused }))
        forwardPort(request, response, { ...target, sandbox });
      return true;
    },
    onUpgrade(request, socket, head) {
      const target = targetOf(request);
      if (target) forwardSocket(request, socket, head, { ...target, sandbox: sandboxes.running(target.id) });
      else socket.destroy();
    },
    onRequest: options.onRequest,
  });
  try {
    await http.listen(options.port);
  } catch (error) {
    await host.close();
    templates.close();
    throw error;
  }
  sandboxes.domain = `localhost:${http.port}`;
  return {
    name: "e2b",
    settings: { apiKey, apiUrl: http.url, sandboxUrl: http.url },
    env: { E2B_API_KEY: apiKey, E2B_API_URL: http.url, E2B_SANDBOX_URL: http.url },
    boxes: host.boxes,
    faults: http.faults,
    ledger: sandboxes.ledger,
    requests: http.requests,
    lose: (id) => sandboxes.kill(id, "fault"),
    expire: (id) => sandboxes.expire(id),
    async move(id) {
      sandboxes.find(id).renewTrafficToken();
    },
    async close() {
      await http.close();
      await host.close();
      templates.close();
    },
  };
}

function refused(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ code: status, message }));
}

function unauthorized(response: ServerResponse): void {
  refused(response, 401, "Invalid API key");
}

/** Where a redirect to a login page leads. */
function loginPage(request: IncomingMessage, response: ServerResponse): boolean {
  if (request.url !== "/login") return false;
  request.resume();
  response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Sign in</title>");
  return true;
}
