import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type PackageFiles, packageArchive } from "./package-archive.ts";

export interface PublishedPackage {
  readonly name: string;
  readonly version: string;
  readonly files: PackageFiles;
  /** What the registry claims instead of the truth. */
  readonly dist?: Readonly<Record<string, string | undefined>>;
}

export interface RegistryRequest {
  readonly path: string;
  readonly kind: "metadata" | "archive";
  readonly headers: IncomingMessage["headers"];
}

/** Says that it answered in place of the registry, which else does it. */
export type Interception = (request: RegistryRequest, response: ServerResponse) => true | undefined;

/**
 * A package registry on loopback, to test installations without a network:
 *
 *     const registry = await NpmRegistry.start();
 *     await registry.publish({ name: "tool", version: "1.0.0", files: { "bin/tool": "#!/bin/sh\necho 1.0.0\n" } });
 *     // … with SANDBOX_AGENT_NPM_REGISTRY=registry.url …
 *     await registry.close();
 *
 * `requests` tells what was asked, `intercept` makes it misbehave.
 */
export class NpmRegistry {
  readonly url: string;
  readonly requests: RegistryRequest[] = [];
  intercept: Interception | undefined;
  readonly #server: Server;
  readonly #metadata = new Map<string, Record<string, { name: string; version: string; dist: object }>>();
  readonly #archives = new Map<string, Buffer>();

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    server.on("request", (request, response) => this.#answer(request, response));
  }

  static async start(): Promise<NpmRegistry> {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    return new NpmRegistry(server);
  }

  async publish({ name, version, files, dist }: PublishedPackage): Promise<void> {
    const archive = await packageArchive(files);
    const path = `/${name}/-/${version}.tgz`;
    this.#archives.set(path, archive);
    const truth = {
      tarball: new URL(path, this.url).href,
      integrity: `sha512-${createHash("sha512").update(archive).digest("base64")}`,
      shasum: createHash("sha1").update(archive).digest("hex"),
    };
    this.#metadata.set(name, {
      ...this.#metadata.get(name),
      [version]: { name, version, dist: { ...truth, ...dist } },
    });
  }

  /** How often an archive, or something else, was asked for. */
  count(kind: RegistryRequest["kind"]): number {
    return this.requests.filter((request) => request.kind === kind).length;
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }

  #answer({ url = "/", headers }: IncomingMessage, response: ServerResponse): void {
    const path = decodeURIComponent(url);
    const request: RegistryRequest = { path, kind: path.endsWith(".tgz") ? "archive" : "metadata", headers };
    this.requests.push(request);
    if (this.intercept?.(request, response) !== undefined) return;
    const archive = this.#archives.get(path);
    const versions = this.#metadata.get(path.slice(1));
    if (archive) return void response.end(archive);
    if (versions) {
      const latest = Object.keys(versions).at(-1);
      return void response.end(JSON.stringify({ name: path.slice(1), "dist-tags": { latest }, versions }));
    }
    response.writeHead(404).end(`{"error":"not found"}`);
  }
}
