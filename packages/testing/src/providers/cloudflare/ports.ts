import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { forwardRequest, forwardUpgrade } from "../forward-port.ts";
import type { Containers } from "./containers.ts";
import { Refusal, refuse } from "./refusal.ts";

export interface PortTarget {
  readonly id: string;
  readonly port: number;
  readonly path: string;
}

/** Where a request is meant to go to a port of a container. */
export function portTarget({ url = "" }: IncomingMessage): PortTarget | undefined {
  const match = /^\/boxes\/([^/]+)\/port\/(\d+)(\/.*)?$/.exec(url);
  return match ? { id: match[1]!, port: Number(match[2]), path: match[3] ?? "/" } : undefined;
}

export async function forwardToPort(
  containers: Containers,
  target: PortTarget,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    forwardRequest(inside(request, target), response, await connect(containers, target));
  } catch (error) {
    request.resume();
    const { status = 500, code, message } = error as Partial<Refusal> & Error;
    refuse(response, status, message, code);
  }
}

export async function upgradeToPort(
  containers: Containers,
  target: PortTarget,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  try {
    forwardUpgrade(inside(request, target), socket, head, await connect(containers, target));
  } catch {
    socket.destroy();
  }
}

/** As the container sees it: the Worker's key stays outside. */
function inside(request: IncomingMessage, { path }: PortTarget): IncomingMessage {
  request.url = path;
  delete request.headers.authorization;
  return request;
}

async function connect(containers: Containers, { id, port }: PortTarget): Promise<Duplex> {
  const { box, connections } = await containers.running(id);
  const connection = await box.connect(port).catch(() => {
    throw new Refusal(502, "not_listening", `Nothing listens on port ${port} of the box.`);
  });
  connections.add(connection);
  connection.once("close", () => connections.delete(connection));
  connection.once("error", () => connection.destroy());
  return connection;
}
