import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

interface AskedRelease {
  /** As the vendor calls it, with https. */
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
}

/**
 * All vendors' hosts on loopback: a mirror for `SANDBOX_AGENT_MIRRORS=*=…`. Sends parts of files, as theirs do. `intercept`
 * says that it answered.
 */
export class ReleaseServer {
  readonly url: string;
  readonly requests: AskedRelease[] = [];
  sendsParts = true;
  intercept: ((request: AskedRelease, response: ServerResponse) => true | undefined) | undefined;
  readonly #files = new Map<string, Buffer>();

  private constructor(server: Server) {
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on("request", (request, response) => this.#answer(request, response));
  }

  static async start(): Promise<ReleaseServer> {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return new ReleaseServer(server);
  }

  put(url: string, content: string | Uint8Array | object): void {
    const bytes = typeof content === "string" || content instanceof Uint8Array ? content : JSON.stringify(content);
    this.#files.set(url, Buffer.from(bytes as string));
  }

  get(url: string): Buffer {
    return this.#files.get(url)!;
  }

  remove(url: string): void {
    this.#files.delete(url);
  }

  asked(end: string): readonly AskedRelease[] {
    return this.requests.filter(({ url }) => url.endsWith(end));
  }

  #answer({ url: path = "/", headers }: IncomingMessage, response: ServerResponse): void {
    const request = { url: `https:/${path}`, headers };
    this.requests.push(request);
    if (this.intercept?.(request, response)) return;
    const file = this.#files.get(request.url);
    if (!file) return void response.writeHead(404).end("<?xml version='1.0'?><Error><Code>NoSuchKey</Code></Error>");
    const etag = `"${createHash("sha256").update(file).digest("hex")}"`;
    const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? "")?.[1]);
    const isSame = headers["if-range"] === undefined || headers["if-range"] === etag;
    if (!this.sendsParts || Number.isNaN(from) || !isSame) {
      return void response.writeHead(200, { etag, "content-length": file.length }).end(file);
    }
    if (from >= file.length) return void response.writeHead(416).end();
    const range = `bytes ${from}-${file.length - 1}/${file.length}`;
    response.writeHead(206, { etag, "content-range": range, "content-length": file.length - from });
    response.end(file.subarray(from));
  }
}
