import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import type { Faults } from "../faults.ts";
import { forwardRequest, forwardUpgrade } from "../forward-port.ts";
import type { DaytonaSandbox } from "./daytona-sandbox.ts";
import { refused } from "./refusal.ts";
import type { Sandboxes } from "./sandboxes.ts";

export interface PreviewOptions {
  readonly sandboxes: Sandboxes;
  readonly faults: () => Faults;
  /** Whether it is a key of the account. */
  isKey(bearer: string): boolean;
  /** Bearers are looked up at the API, whoever they are meant for. */
  onLookUp(bearer: string): void;
  readonly loginUrl: () => string;
}

/** What an address leads to. A signed one lets in whoever has it, until its time is up. */
interface Place {
  readonly id: string;
  readonly port: number;
  readonly until?: number;
}

const tokenHeader = "x-daytona-preview-token";

/**
 * The proxy in front of sandboxes' ports. Each port has an address of its own here, the same for as long as there is the
 * service, because names below a domain of one's own are not found on every machine.
 */
export class PreviewPorts {
  readonly #options: PreviewOptions;
  readonly #servers = new Map<string, Promise<Server>>();

  constructor(options: PreviewOptions) {
    this.#options = options;
  }

  urlOf(id: string, port: number): Promise<string> {
    return this.#listen(`${id} ${port}`, { id, port });
  }

  /** Its token is part of the address. */
  signedUrlOf(id: string, port: number, token: string, seconds: number): Promise<string> {
    return this.#listen(token, { id, port, until: Date.now() + seconds * 1_000 });
  }

  async expire(token: string): Promise<void> {
    const server = await this.#servers.get(token);
    server?.removeAllListeners("request").on("request", (_, response) => toLogin(response, this.#options.loginUrl()));
  }

  async close(): Promise<void> {
    for (const listening of this.#servers.values()) {
      const server = await listening;
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    }
  }

  async #listen(name: string, place: Place): Promise<string> {
    if (!this.#servers.has(name)) this.#servers.set(name, this.#open(place));
    const server = await this.#servers.get(name)!;
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async #open(place: Place): Promise<Server> {
    const server = createServer((request, response) => void this.#serve(request, response, place));
    server.on("upgrade", (request, socket, head) => void this.#upgrade(request, socket, head, place));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  async #serve(request: IncomingMessage, response: ServerResponse, place: Place): Promise<void> {
    const { faults, loginUrl } = this.#options;
    const fault = faults().next({ name: "port", id: place.id, request });
    const words = { refused, unauthorized: () => toLogin(response, loginUrl()) };
    if (faults().apply(fault, response, words)) return void request.resume();
    const sandbox = this.#enter(request, place);
    if (sandbox === undefined) {
      request.resume();
      return toLogin(response, loginUrl());
    }
    const done = this.#use(sandbox);
    response.once("close", done);
    const connection = await connectionTo(sandbox, place.port).catch((error: Error) => {
      request.resume();
      refused(response, 400, `bad request: ${error.message}`);
    });
    if (connection) forwardRequest(request, response, connection);
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, place: Place): Promise<void> {
    const sandbox = this.#enter(request, place);
    const connection = sandbox && (await connectionTo(sandbox, place.port).catch(() => undefined));
    if (sandbox === undefined || connection === undefined)
      return void socket.end("HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    socket.once("close", this.#use(sandbox));
    forwardUpgrade(request, socket, head, connection);
  }

  /** The account's key is taken off before the request goes on; a token too. Undefined where nobody is let in. */
  #enter(request: IncomingMessage, { id, until = 0 }: Place): DaytonaSandbox | undefined {
    const { sandboxes, isKey, onLookUp } = this.#options;
    const sandbox = sandboxes.all.find((it) => it.id === id);
    if (sandbox === undefined) return undefined;
    const { authorization = "", [tokenHeader]: header } = request.headers;
    const bearer = /^Bearer (.+)$/.exec(authorization)?.[1];
    if (bearer !== undefined) onLookUp(bearer);
    if (bearer !== undefined && isKey(bearer)) {
      delete request.headers.authorization;
      return sandbox;
    }
    delete request.headers[tokenHeader];
    const query = new URL(request.url ?? "/", "http://port").searchParams.get("DAYTONA_SANDBOX_AUTH_KEY");
    const isLetIn = [header, query].includes(sandbox.previewToken) || until > Date.now() || sandbox.wished.public;
    return isLetIn ? sandbox : undefined;
  }

  /** It is in use until the answer is called. */
  #use(sandbox: DaytonaSandbox): () => void {
    const { sandboxes } = this.#options;
    sandbox.open += 1;
    sandboxes.touch(sandbox);
    return () => {
      sandbox.open -= 1;
      sandboxes.touch(sandbox);
    };
  }
}

async function connectionTo({ state, box }: DaytonaSandbox, port: number): Promise<Duplex> {
  if (state !== "started") throw new Error("no IP address found. Is the Sandbox started?");
  const connection = await box!.connect(port);
  connection.once("error", () => connection.destroy());
  return connection;
}

function toLogin(response: ServerResponse, location: string): void {
  response.writeHead(307, { location, "content-type": "text/html" }).end("<a href>Temporary Redirect</a>");
}
