import { once } from "node:events";
import * as http from "node:http";
import * as https from "node:https";
import { isIP, type Socket } from "node:net";
import { connect } from "node:tls";

interface ProxiedGet {
  readonly url: URL;
  readonly proxy: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** One GET through an HTTP proxy: plain requests are handed to it, encrypted ones go through a tunnel it makes. */
export async function getThroughProxy(get: ProxiedGet): Promise<http.IncomingMessage> {
  const request = get.url.protocol === "https:" ? await requestInTunnel(get) : requestOfProxy(get);
  request.end();
  const [response] = (await once(request, "response", { signal: get.signal })) as [http.IncomingMessage];
  return response;
}

function requestOfProxy({ url, proxy, headers, signal }: ProxiedGet): http.ClientRequest {
  const asked = { ...headers, host: url.host, ...credentialsOf(proxy) };
  return toProxy(proxy, { path: url.href, headers: asked, signal });
}

async function requestInTunnel(get: ProxiedGet): Promise<http.ClientRequest> {
  const { url, headers, signal } = get;
  const socket = await openTunnel(get);
  const { hostname: host } = url;
  const servername = isIP(host) ? {} : { servername: host };
  const createConnection = () => connect({ socket, host, ...servername });
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
