import { lstatSync } from "node:fs";
import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { streamOf } from "@sandbox-agent-ts/server";

/** Linux takes no longer path for a socket. */
export const LONGEST_SOCKET_PATH = 107;

const withoutBody = new Set([101, 204, 205, 304]);
const agent = new Agent({ keepAlive: true });

/** `fetch` for a server that listens on a Unix socket. Redirects are not followed. */
export function socketFetch(path: string): typeof fetch {
  return nodeFetch({ socketPath: path }, () => refuseLink(path));
}

/**
 * `fetch` for a port, of this machine unless told otherwise. Node's own may wait for ever where a port's proxy takes a connection
 * for a program that does not listen yet, and resets it.
 */
export function portFetch(port: number, host = "127.0.0.1"): typeof fetch {
  return nodeFetch({ host, port });
}

/** `fetch` over whatever connections an agent makes. */
export function agentFetch(own: Agent): typeof fetch {
  return nodeFetch({ agent: own });
}

type Target =
  | { readonly socketPath: string }
  | { readonly host: string; readonly port: number }
  | { readonly agent: Agent };

function nodeFetch(target: Target, check = () => {}): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    check();
    const answer = await send(target, request);
    const hasBody = request.method !== "HEAD" && !withoutBody.has(answer.statusCode!);
    if (!hasBody) answer.resume();
    return new Response(hasBody ? streamOf(answer) : null, {
      status: answer.statusCode!,
      statusText: answer.statusMessage ?? "",
      headers: headersOf(answer),
    });
  };
}

/** What is inside can put a link to another socket of this machine in its place. */
function refuseLink(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isSocket() !== true) throw new TypeError("fetch failed", { cause: new Error(`${path} is no socket.`) });
}

function send(target: Target, { url, method, headers, body, signal }: Request): Promise<IncomingMessage> {
  const { pathname, search, host } = new URL(url);
  return new Promise((resolve, reject) => {
    const options = { agent, ...target, method, path: pathname + search, signal };
    const outgoing = httpRequest({ ...options, headers: { host, ...Object.fromEntries(headers) } });
    const fail = (cause: unknown) => reject(signal.aborted ? signal.reason : new TypeError("fetch failed", { cause }));
    outgoing.once("response", resolve).once("error", fail);
    if (body === null) outgoing.end();
    else pipeline(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), outgoing).catch(fail);
  });
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) headers.append(rawHeaders[index]!, rawHeaders[index + 1]!);
  return headers;
}
