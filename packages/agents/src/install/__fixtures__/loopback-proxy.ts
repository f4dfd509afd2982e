import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface LoopbackProxy {
  readonly url: string;
  /** What it was asked: `GET http://…` or `CONNECT host:port`. */
  readonly asked: string[];
  readonly credentials: (string | undefined)[];
  /** The status of its own refusal, if it refuses. */
  refuses: number | undefined;
}

/** A proxy that leads every host to one port of this machine. */
export async function startProxy(targetPort: number): Promise<LoopbackProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((asked, answer) => forward(asked, answer));
  server.on("connection", (socket) => sockets.add(socket));
  server.on("connect", (asked: IncomingMessage, socket: Socket) => tunnel(asked, socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const { port } = server.address() as AddressInfo;
  const proxy: LoopbackProxy = { url: `http://127.0.0.1:${port}`, asked: [], credentials: [], refuses: undefined };

  function note({ method, url, headers }: IncomingMessage): void {
    proxy.asked.push(`${method} ${url}`);
    proxy.credentials.push(headers["proxy-authorization"]);
  }

  function forward(asked: IncomingMessage, answer: ServerResponse): void {
    note(asked);
    if (proxy.refuses !== undefined) {
      answer.writeHead(proxy.refuses).end();
      return;
    }
    const { "proxy-authorization": _, ...headers } = asked.headers;
    const { pathname, search } = new URL(asked.url ?? "");
    request({ host: "127.0.0.1", port: targetPort, path: pathname + search, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    }).end();
  }

  function tunnel(asked: IncomingMessage, socket: Socket): void {
    note(asked);
    if (proxy.refuses !== undefined) {
      socket.end(`HTTP/1.1 ${proxy.refuses} No\r\n\r\n`);
      return;
    }
    const target = connect(targetPort, "127.0.0.1");
    sockets.add(target);
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    socket.pipe(target).pipe(socket);
    for (const one of [socket, target]) one.on("error", () => {});
  }

  return proxy;
}
