import { createServer, type IncomingMessage, type Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { type Fault, Faults, type FaultWords } from "./faults.ts";
import type { ServiceRequest } from "./provider-service.ts";

const maxBodyBytes = 512 * 1024 * 1024;
const maxRecordedChars = 64 * 1024;

/** One request to a fake service, as its routes have it. */
export interface ServiceCall {
  /** That of its route. */
  readonly name: string;
  /** What the placeholders of the route's path stand for, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly request: IncomingMessage;
  /** Goes nowhere where the answer is to be lost. */
  readonly response: ServerResponse;
  bytes(): Promise<Buffer>;
  json<T = Record<string, unknown>>(): Promise<T>;
  answer(status: number, body?: unknown, headers?: Readonly<Record<string, string>>): void;
}

export interface ServiceRoute {
  readonly method: string;
  /** E.g. `/sandboxes/:id/pause`; `*rest` at the end takes what is left, slashes too. */
  readonly path: string;
  /** For faults; the same words at every service where they mean the same: `create`, `get`, `list`, `destroy`, `run`, `write`, … */
  readonly name: string;
  handle(call: ServiceCall): void | Promise<void>;
}

export interface HttpServiceOptions {
  readonly routes: readonly ServiceRoute[];
  readonly words: FaultWords;
  /** Names of headers, in lower case, with the account's credentials: not recorded. */
  readonly secretHeaders: readonly string[];
  /** False answers 401 in the service's words. */
  isAuthorized(request: IncomingMessage): boolean;
  /** Looked at first, e.g. for what goes to a machine's port. True where it was answered: neither faulty nor recorded. */
  readonly before?: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  /** What no route takes; default: 404 in the service's words. True where it was answered. */
  readonly otherwise?: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  readonly onUpgrade?: ((request: IncomingMessage, socket: Duplex, head: Buffer) => void) | undefined;
  readonly onRequest?: ((request: ServiceRequest) => void) | undefined;
}

/** The HTTP side of a fake service: routes with scripted faults, and a record of what came. On loopback only. */
export class HttpService {
  readonly faults = new Faults();
  readonly requests: ServiceRequest[] = [];
  readonly #options: HttpServiceOptions;
  readonly #routes: readonly (ServiceRoute & { readonly pattern: RegExp })[];
  readonly #server: Server;

  constructor(options: HttpServiceOptions) {
    this.#options = options;
    this.#routes = options.routes.map((route) => ({ ...route, pattern: patternOf(route.path) }));
    this.#server = createServer((request, response) => void this.#serve(request, response));
    if (options.onUpgrade) this.#server.on("upgrade", options.onUpgrade);
  }

  async listen(port = 0): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject).listen(port, "127.0.0.1", resolve);
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async close(): Promise<void> {
    this.faults.clear();
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#options.before?.(request, response)) return;
    const url = new URL(request.url ?? "/", "http://service");
    const found = this.#find(request.method ?? "GET", url.pathname);
    if (!found) {
      if (!this.#options.otherwise?.(request, response))
        this.#options.words.refused(response, 404, "There is no such route.");
      return;
    }
    const { route, params } = found;
    const fault = this.faults.next({ name: route.name, id: params.id, request });
    try {
      const body = await bodyOf(request);
      this.#record(request, url, body);
      if (this.faults.apply(fault, response, this.#options.words)) return;
      if (!this.#options.isAuthorized(request)) return this.#options.words.unauthorized(response);
      const call = callOf({
        request,
        response: fault ? unsent(request) : response,
        url,
        body,
        name: route.name,
        params,
      });
      await route.handle(call);
      if (fault) loseAnswer(fault, response, this.#options.words);
    } catch (error) {
      if (!response.headersSent) this.#options.words.refused(response, 500, String(error));
      else response.destroy();
    }
  }

  #find(method: string, path: string) {
    for (const route of this.#routes) {
      const match = route.method === method ? route.pattern.exec(path) : null;
      if (match) return { route, params: decoded(match.groups ?? {}) };
    }
    return undefined;
  }

  #record({ method = "GET", headers }: IncomingMessage, { pathname, search }: URL, body: Buffer): void {
    const shown = Object.entries(headers).map(([name, value]) => [
      name,
      this.#options.secretHeaders.includes(name) ? "(hidden)" : String(value),
    ]);
    const isText = /json|text|urlencoded/.test(headers["content-type"] ?? "json");
    const recorded: ServiceRequest = {
      method,
      path: pathname + search,
      headers: Object.fromEntries(shown) as Record<string, string>,
      body: isText ? body.toString().slice(0, maxRecordedChars) : "",
    };
    this.requests.push(recorded);
    this.#options.onRequest?.(recorded);
  }
}

function patternOf(path: string): RegExp {
  const parts = path.split("/").map((part) => {
    if (part.startsWith(":")) return `(?<${part.slice(1)}>[^/]+)`;
    if (part.startsWith("*")) return `(?<${part.slice(1)}>.*)`;
    return part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);
  });
  return new RegExp(`^${parts.join("/")}$`);
}

function decoded(groups: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]));
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) throw new Error(`A request is longer than ${maxBodyBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

interface CallProps extends Pick<ServiceCall, "name" | "params" | "request" | "response"> {
  readonly url: URL;
  readonly body: Buffer;
}

function callOf({ name, params, request, response, url, body }: CallProps): ServiceCall {
  return {
    name,
    params,
    query: url.searchParams,
    request,
    response,
    bytes: () => Promise.resolve(body),
    json: <T>() => Promise.resolve(JSON.parse(body.length === 0 ? "{}" : body.toString()) as T),
    answer(status, answer, headers = {}) {
      if (answer === undefined) response.writeHead(status, headers).end();
      else response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(answer));
    },
  };
}

/** A response that nobody gets. */
function unsent(request: IncomingMessage): ServerResponse {
  return new ServerResponse(request);
}

function loseAnswer(fault: Fault, response: ServerResponse, words: FaultWords): void {
  if (fault.kind === "lost-answer" && fault.status !== undefined)
    words.refused(response, fault.status, "The answer was lost.");
  else response.destroy();
}
