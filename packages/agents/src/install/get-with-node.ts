import { once } from "node:events";
import * as http from "node:http";
import * as https from "node:https";
import { isIP, type Socket } from "node:net";
import { connect } from "node:tls";

interface PlainGet {
  readonly url: URL;
  readonly proxy: URL | undefined;
  readonly authorities: readonly string[] | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

type ProxiedGet = PlainGet & { readonly proxy: URL };

/**
 * One GET with what \`fetch\` has not: authorities of its own, or an HTTP proxy. Plain requests are handed to that, encrypted
 * ones go through a tunnel it makes.
 */
export async function getWithNode({ proxy, ...get }: PlainGet): Promise<http.IncomingMessage> {
  const request = proxy === undefined ? requestDirectly(get) : await requestByProxy({ ...get, proxy });
  request.end();
  const [response] = (await once(request, "response", { signal: get.signal })) as [http.IncomingMessage];
  return response;
}

function requestDirectly({ url, headers, signal, authorities }: Omit<PlainGet, "proxy">): http.ClientRequest {
  return https.request(url, { headers, signal, agent: false, ...trusting(authorities) });
}

/** Node wants a list that can be written to. */
const trusting = (authorities: readonly string[] | undefined) => (authorities ? { ca: [...authorities] } : {});

async function requestByProxy(get: ProxiedGet): Promise<http.ClientRequest> {
  return get.url.protocol === "https:" ? requestInTunnel(get) : requestOfProxy(get);
}

function requestOfProxy({ url, proxy, headers, signal }: ProxiedGet): http.ClientRequest {
  const asked = { ...headers, host: url.host, ...credentialsOf(proxy) };
  return toProxy(proxy, { path: url.href, headers: asked, signal });
}

async function requestInTunnel(get: ProxiedGet): Promise<http.ClientRequest> {
  const { url, headers, signal, authorities } = get;
  const socket = await openTunnel(get);
  const { hostname: host } = url;
  const servername = isIP(host) ? {} : { servername: host };
  const createConnection = () => connect({ socket, host, ...servername, ...trusting(authorities) });
  return https.request(url, { headers, signal, createConnection });
}

async function openTunnel({ url, proxy, signal }: ProxiedGet): Promise<Socket> {
  const place = `${url.hostname}:${url.port || 443}`;
  const request = toProxy(proxy, {
    method: "CONNECT",
    path: place,
    headers: { host: place, ...credentialsOf(proxy) },
    signal,
  });
  request.end();
  const [response, socket] = (await once(request, "connect", { signal })) as [http.IncomingMessage, Socket];
  if (response.statusCode === 200) return socket;
  socket.destroy();
  throw new Error(`the proxy ${proxy.host} answered ${response.statusCode}`);
}

function toProxy(proxy: URL, options: http.RequestOptions): http.ClientRequest {
  const { request } = proxy.protocol === "https:" ? https : http;
  return request({ host: proxy.hostname, port: proxy.port || defaultPort(proxy), agent: false, ...options });
}

function defaultPort({ protocol }: URL): number {
  return protocol === "https:" ? 443 : 80;
}

function credentialsOf({ username, password }: URL): Record<string, string> {
  if (username === "") return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
}
