import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { forwardRequest, forwardUpgrade } from "../forward-port.ts";
import type { E2bSandbox } from "./e2b-sandbox.ts";

export interface Target {
  readonly id: string;
  readonly port: number;
}

interface Destination extends Target {
  /** Undefined where it does not run. */
  readonly sandbox: E2bSandbox | undefined;
}

interface Refusal {
  readonly code: number;
  readonly message: string;
  readonly sandboxId: string;
  readonly port?: number;
}

/** Which port of which sandbox a request is meant for; undefined where it is for the API. */
export function targetOf({ headers }: IncomingMessage): Target | undefined {
  const { "e2b-sandbox-id": id, "e2b-sandbox-port": port } = headers;
  if (typeof id === "string" && typeof port === "string") return { id, port: Number(port) };
  const match = /^(\d+)-([a-z0-9]+)\./.exec(headers.host ?? "");
  return match ? { id: match[2]!, port: Number(match[1]) } : undefined;
}

/** A request to a port of a sandbox, as the service's proxy handles it. */
export function forwardPort(request: IncomingMessage, response: ServerResponse, destination: Destination): void {
  const refuse = (refusal: Refusal) => {
    request.resume();
    response.writeHead(refusal.code, { "content-type": "application/json" }).end(JSON.stringify(refusal));
  };
  connectionTo(request, destination).then((connection) => forwardRequest(request, response, connection), refuse);
}

/** The same for a WebSocket. */
export function forwardSocket(request: IncomingMessage, socket: Duplex, head: Buffer, destination: Destination): void {
  socket.once("error", () => socket.destroy());
  const refuse = ({ code }: Refusal) =>
    socket.end(`HTTP/1.1 ${code} Refused\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
  connectionTo(request, destination).then((connection) => forwardUpgrade(request, socket, head, connection), refuse);
}

/** Rejects with a `Refusal`. */
async function connectionTo({ headers }: IncomingMessage, { id, port, sandbox }: Destination): Promise<Duplex> {
  const refusal = (code: number, message: string, more = {}): Refusal => ({ code, message, sandboxId: id, ...more });
  if (sandbox === undefined) throw refusal(502, "The sandbox was not found");
  const token = headers[trafficHeader];
  if (!sandbox.isPublic && token !== sandbox.trafficToken) {
    const what = token === undefined ? "is missing" : "is wrong";
    throw refusal(403, `Sandbox is secured with traffic access token. Token header '${trafficHeader}' ${what}`);
  }
  try {
    const connection = await sandbox.box.connect(port);
    connection.once("error", () => connection.destroy());
    sandbox.track(connection);
    return connection;
  } catch {
    throw refusal(502, "The sandbox is running but port is not open", { port });
  }
}

const trafficHeader = "e2b-traffic-access-token";
