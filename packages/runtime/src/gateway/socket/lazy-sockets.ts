import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { AgentRuntime } from "../../runtime.ts";
import type { SocketGateway, SocketGatewayOptions } from "./socket-gateway.ts";

const path = "/socket.io";

/** Whoever answers what is under this path must not let the router see it: nobody has been asked who it is from. */
export function isForSockets({ url = "/" }: Pick<IncomingMessage, "url">): boolean {
  return url === path || url.startsWith(`${path}/`) || url.startsWith(`${path}?`);
}

/** Socket.IO, loaded when the first client asks for it. */
export class LazySockets {
  readonly #runtime: AgentRuntime;
  readonly #options: SocketGatewayOptions;
  #gateway: Promise<SocketGateway> | undefined;
  #isClosed = false;

  constructor(runtime: AgentRuntime, options: SocketGatewayOptions) {
    this.#runtime = runtime;
    this.#options = options;
  }

  async handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    (await this.#load()).handleRequest(request, response);
  }

  /** Answers whether the connection is a socket's from now on. */
  handleUpgrade(request: IncomingMessage, socket: Socket, head: Buffer): boolean {
    if (!isForSockets(request) || this.#isClosed) return false;
    socket.on("error", () => {});
    this.#load().then(
      (gateway) => gateway.handleUpgrade(request, socket, head),
      () => socket.destroy(),
    );
    return true;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    (await this.#gateway)?.close();
  }

  #load(): Promise<SocketGateway> {
    this.#gateway ??= import("./socket-gateway.ts").then(
      ({ SocketGateway }) => new SocketGateway(this.#runtime, this.#options),
    );
    return this.#gateway;
  }
}
