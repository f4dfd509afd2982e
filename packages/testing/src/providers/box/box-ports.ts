import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { readLine } from "./messages.ts";

/** The ways between this machine's loopback and that of a box. They stay while it is stopped. */
export class BoxPorts {
  readonly #connect: (port: number) => Promise<Duplex>;
  readonly #published = new Map<number, Promise<number>>();
  readonly #reachable = new Set<number>();
  readonly #servers = new Set<Server>();
  readonly #sockets = new Set<Socket>();

  constructor(connectInside: (port: number) => Promise<Duplex>) {
    this.#connect = connectInside;
  }

  get reachable(): readonly number[] {
    return [...this.#reachable];
  }

  allow(port: number): void {
    this.#reachable.add(port);
  }

  publish(port: number): Promise<number> {
    const known = this.#published.get(port);
    if (known) return known;
    const opened = this.#listen({ port: 0, host: "127.0.0.1" }, (outer) => {
      this.#connect(port).then(
        (inner) => join(outer, inner),
        () => outer.resetAndDestroy(),
      );
    }).then((server) => (server.address() as AddressInfo).port);
    this.#published.set(port, opened);
    return opened;
  }

  /** Takes connections from inside: each says in a line which port it is for. */
  async openWayOut(path: string): Promise<void> {
    await this.#listen({ path }, (inner) => {
      readLine(inner).then(
        (line) => {
          if (!this.#reachable.has(Number(line))) return inner.destroy();
          const outer = connect({ port: Number(line), host: "127.0.0.1", allowHalfOpen: true });
          this.#track(outer);
          return join(inner, outer);
        },
        () => inner.destroy(),
      );
    });
  }

  close(): void {
    for (const server of this.#servers) server.close();
    for (const socket of this.#sockets) socket.destroy();
    this.#published.clear();
  }

  async #listen(
    place: { port: number; host: string } | { path: string },
    take: (socket: Socket) => void,
  ): Promise<Server> {
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      this.#track(socket);
      take(socket);
    });
    await new Promise<void>((resolve, reject) => void server.once("error", reject).listen(place, resolve));
    this.#servers.add(server);
    return server;
  }

  #track(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => this.#sockets.delete(socket));
  }
}

function join(one: Socket, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on("error", () => to.destroy());
    from.once("close", () => to.destroy());
    from.pipe(to);
  }
}
