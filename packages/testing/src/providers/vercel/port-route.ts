import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import type { Box } from "../box/box.ts";
import type { Fault } from "../faults.ts";
import { forwardRequest, forwardUpgrade } from "../forward-port.ts";

export interface PortRouteOptions {
  readonly port: number;
  /** What is to go wrong with this request; true where it was answered already. */
  readonly interfere: (request: IncomingMessage, response: ServerResponse) => boolean;
  readonly upgradeFault: (request: IncomingMessage) => Fault | undefined;
}

/** Where one port of a session is reached: an address of this machine's in the place of `https://{subdomain}.vercel.run`. */
export class PortRoute {
  readonly subdomain = `sb-${randomBytes(6).toString("hex")}`;
  readonly port: number;
  readonly #server: Server;
  readonly #connections = new Set<Duplex>();
  #box: Box | undefined;
  /** What is said where it leads nowhere any more. */
  #end: { readonly status: number; readonly code: string } = { status: 404, code: "SANDBOX_NOT_FOUND" };

  private constructor({ port, interfere, upgradeFault }: PortRouteOptions, box: Box) {
    this.port = port;
    this.#box = box;
    this.#server = createServer((request, response) => {
      if (!interfere(request, response)) void this.#forward(request, response);
    });
    this.#server.on("upgrade", (request, socket, head) => {
      if (upgradeFault(request)) socket.destroy();
      else void this.#forwardUpgrade(request, socket, head);
    });
  }

  static async open(options: PortRouteOptions, box: Box): Promise<PortRoute> {
    const route = new PortRoute(options, box);
    await new Promise<void>((resolve, reject) => {
      route.#server.once("error", reject).listen(0, "127.0.0.1", resolve);
    });
    return route;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** It answers so from now on; connections through it break. */
  cut(status: number, code: string): void {
    this.#box = undefined;
    this.#end = { status, code };
    for (const connection of this.#connections) connection.destroy();
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    for (const connection of this.#connections) connection.destroy();
    await closed;
  }

  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const connection = await this.#connect();
    if (!("status" in connection)) return forwardRequest(request, response, connection);
    request.resume();
    const page = `<!doctype html><title>${connection.status}: ${connection.code}</title>`;
    response.writeHead(connection.status, { "content-type": "text/html" }).end(page);
  }

  async #forwardUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const connection = await this.#connect();
    if (!("status" in connection)) return forwardUpgrade(request, socket, head, connection);
    socket.once("error", () => socket.destroy());
    socket.end(`HTTP/1.1 ${connection.status} Refused\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
  }

  async #connect(): Promise<Duplex | { readonly status: number; readonly code: string }> {
    if (this.#box === undefined) return this.#end;
    try {
      const connection = await this.#box.connect(this.port);
      this.#connections.add(connection);
      connection.once("close", () => this.#connections.delete(connection));
      connection.once("error", () => connection.destroy());
      return connection;
    } catch {
      return { status: 502, code: "SANDBOX_NOT_LISTENING" };
    }
  }
}
