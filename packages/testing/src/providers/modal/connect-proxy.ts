import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import type { Box } from "../box/box.ts";
import type { Faults, FaultWords } from "../faults.ts";
import { forwardRequest, forwardUpgrade } from "../forward-port.ts";

/** The place where a sandbox's ports are reached by who has a connect token: HTTP on a port of loopback. */
export class ConnectProxy {
  readonly #box: Box;
  readonly #faults: Faults;
  readonly #server: Server;
  /** Ports inside, by the tokens that lead to them. */
  readonly #ports = new Map<string, number>();
  readonly #connections = new Set<Duplex>();

  private constructor(box: Box, faults: Faults) {
    this.#box = box;
    this.#faults = faults;
    this.#server = createServer((request, response) => void this.#serve(request, response));
    this.#server.on("upgrade", (request, socket, head) => void this.#upgrade(request, socket, head));
    this.#server.on("connection", (connection) => {
      this.#connections.add(connection);
      connection.once("close", () => this.#connections.delete(connection));
    });
  }

  static async open(box: Box, faults: Faults): Promise<ConnectProxy> {
    const proxy = new ConnectProxy(box, faults);
    await once(proxy.#server.listen(0, "127.0.0.1"), "listening");
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  tokenFor(port: number): string {
    const token = `ct-${randomBytes(20).toString("hex")}`;
    this.#ports.set(token, port);
    return token;
  }

  /** No token is worth anything any more. */
  revoke(): void {
    this.#ports.clear();
    for (const connection of this.#connections) connection.destroy();
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.revoke();
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fault = this.#faults.next({ name: "port", id: this.#box.id, request });
    if (this.#faults.apply(fault, response, words)) return;
    const port = this.#portFor(request);
    if (port === undefined) return words.unauthorized(response);
    try {
      forwardRequest(request, response, await this.#box.connect(port));
    } catch {
      words.refused(response, 502, "Nothing listens on that port.");
    }
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const port = this.#portFor(request);
    try {
      if (port === undefined) throw new Error("There is no such token.");
      forwardUpgrade(request, socket, head, await this.#box.connect(port));
    } catch {
      const status = port === undefined ? "401 Unauthorized" : "502 Bad Gateway";
      socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
    }
  }

  #portFor({ url = "/", headers }: IncomingMessage): number | undefined {
    const [, bearer] = /^Bearer (.+)$/.exec(headers.authorization ?? "") ?? [];
    const token = bearer ?? new URL(url, "http://sandbox").searchParams.get("_modal_connect_token");
    return this.#ports.get(token ?? "");
  }
}

const words: FaultWords = {
  unauthorized: (response) => words.refused(response, 401, "The connect token is not valid."),
  refused: (response, status, message) => {
    response.writeHead(status, { "content-type": "text/plain" }).end(message);
  },
};
