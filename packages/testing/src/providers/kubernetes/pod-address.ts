import { randomInt } from "node:crypto";
import { createServer, type Server } from "node:net";
import { pipeline } from "node:stream";
import type { Box } from "../box/box.ts";

const attempts = 20;

/** A loopback address of its own, on which the ports of a pod listen, as in a cluster's network. */
export class PodAddress {
  readonly ip: string;
  readonly #servers: readonly Server[];

  private constructor(ip: string, servers: readonly Server[]) {
    this.ip = ip;
    this.#servers = servers;
  }

  static async open(box: Box, ports: readonly number[]): Promise<PodAddress> {
    for (let attempt = 1; ; attempt += 1) {
      const ip = `127.${randomInt(64, 128)}.${randomInt(256)}.${randomInt(1, 255)}`;
      const servers: Server[] = [];
      try {
        for (const port of ports) servers.push(await listen(box, ip, port));
        return new PodAddress(ip, servers);
      } catch (error) {
        for (const server of servers) server.close();
        if (attempt === attempts) throw error;
      }
    }
  }

  close(): void {
    for (const server of this.#servers) server.close();
  }
}

function listen(box: Box, ip: string, port: number): Promise<Server> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    box.connect(port).then(
      (inside) => {
        inside.on("error", () => {});
        pipeline(socket, inside, () => {});
        pipeline(inside, socket, () => {});
      },
      () => socket.resetAndDestroy(),
    );
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject).listen(port, ip, () => resolve(server.unref()));
  });
}
