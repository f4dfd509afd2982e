import { setDefaultAutoSelectFamilyAttemptTimeout } from "node:net";
import { getWithNode } from "./get-with-node.ts";
import type { Network } from "./network.ts";

// Of a host with several addresses Node gives each 250 ms to answer, which a slow network or a busy machine does not meet.
setDefaultAutoSelectFamilyAttemptTimeout(2_000);

const maxRedirects = 10;
const redirects = new Set([301, 302, 303, 307, 308]);

export interface OpenedResponse {
  readonly status: number;
  readonly body: AsyncIterable<Uint8Array>;
  /** How many bytes the body will have, where the server says so. */
  readonly length: number | undefined;
  header(name: string): string | undefined;
}

interface Hop extends OpenedResponse {
  readonly location: string | undefined;
  cancel(): void;
}

/** GET, wherever it leads. Credentials are left behind when that is another host. */
export async function followRedirects(
  url: string,
  headers: Readonly<Record<string, string>>,
  network: Network,
  signal: AbortSignal,
): Promise<OpenedResponse> {
  let target = new URL(url);
  let sent = headers;
  for (let count = 0; count <= maxRedirects; count++) {
    const hop = await open(target, sent, network, signal);
    if (!redirects.has(hop.status) || hop.location === undefined) return hop;
    hop.cancel();
    const next = new URL(hop.location, target);
    if (next.origin !== target.origin) sent = withoutCredentials(sent);
    target = next;
  }
  throw new Error(`more than ${maxRedirects} redirects`);
}

async function open(
  url: URL,
  headers: Readonly<Record<string, string>>,
  { proxyOf, authorities }: Network,
  signal: AbortSignal,
): Promise<Hop> {
  const proxy = proxyOf(url.href);
  const isPlain = authorities === undefined || url.protocol === "http:";
  if (proxy === undefined && isPlain) return direct(await fetch(url, { headers, signal, redirect: "manual" }));
  const response = await getWithNode({ url, proxy, authorities, headers, signal });
  return {
    status: response.statusCode ?? 0,
    location: response.headers.location,
    body: response,
    length: lengthOf(response.headers["content-length"], response.headers["content-encoding"]),
    header: (name) => [response.headers[name]].flat()[0],
    cancel: () => response.destroy(),
  };
}

function direct(response: Response): Hop {
  const { status, body, headers } = response;
  return {
    status,
    location: headers.get("location") ?? undefined,
    length: lengthOf(headers.get("content-length"), headers.get("content-encoding")),
    header: (name) => headers.get(name) ?? undefined,
    body: body ?? empty(),
    cancel: () => void body?.cancel().catch(() => {}),
  };
}

/** The length of an encoded body is not that of what comes out. */
function lengthOf(length: string | null | undefined, encoding: string | null | undefined): number | undefined {
  return length && /^\d+$/.test(length) && !encoding ? Number(length) : undefined;
}

async function* empty(): AsyncGenerator<Uint8Array> {}

function withoutCredentials({
  authorization: _,
  ...headers
}: Readonly<Record<string, string>>): Record<string, string> {
  return headers;
}
