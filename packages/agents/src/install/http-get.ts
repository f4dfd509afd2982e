import { SandboxError } from "@sandbox-agent-ts/protocol";
import { followRedirects } from "./follow-redirects.ts";
import { type InstallStep, installFailure, reasonOf, withoutSecrets } from "./install-failure.ts";
import type { NetworkLimits } from "./network-limits.ts";
import { Patience } from "./patience.ts";
import type { ProxyOf } from "./proxies.ts";
import { Transient } from "./retrying.ts";

export interface HttpGet {
  readonly url: string;
  readonly accept: string;
  readonly authorization: string | undefined;
  /** What the request is for, for its failures. */
  readonly step: InstallStep;
  readonly limits: NetworkLimits;
  readonly proxyOf: ProxyOf;
  /** Called once the server has answered, with the length of the body where it is known. */
  readonly onLength?: (bytes: number | undefined) => void;
}

/** The body of the answer, piece by piece; no piece is waited for longer than the limits allow. */
export async function* httpGet(request: HttpGet): AsyncGenerator<Uint8Array, void, undefined> {
  const { url, accept, authorization, limits, proxyOf, onLength } = request;
  const patience = new Patience();
  try {
    patience.wait(limits.answerMs);
    const headers = { accept, ...(authorization === undefined ? {} : { authorization }) };
    const { status, body, length } = await followRedirects(url, headers, proxyOf, patience.signal);
    if (status < 200 || status > 299) throw refused(request, status);
    onLength?.(length);
    patience.wait(limits.stallMs);
    for await (const piece of body) {
      patience.rest();
      yield piece;
      patience.wait(limits.stallMs);
    }
  } catch (error) {
    if (error instanceof SandboxError || error instanceof Transient) throw error;
    throw new Transient(unreachable(request, patience.signal.aborted ? patience.signal.reason : error));
  } finally {
    patience.end();
  }
}

const mayPass = new Set([408, 425, 429, 500, 502, 503, 504]);

function refused({ url, step, authorization }: HttpGet, status: number): SandboxError | Transient {
  const failure = installFailure(`${withoutSecrets(url)} answered ${status}${advice(status, authorization)}`, {
    step,
    url,
    status,
  });
  return mayPass.has(status) ? new Transient(failure) : failure;
}

function advice(status: number, authorization: string | undefined): string {
  if (status === 404) return ": there is no such package there, or it is not for everybody to see.";
  if (status !== 401 && status !== 403) return ". Try again later.";
  return authorization === undefined
    ? ": it asks for credentials. Sign in with `npm login`, or give a token in .npmrc."
    : ": it does not accept the credentials that npm has for it.";
}

function unreachable({ url, step, proxyOf }: HttpGet, cause: unknown): SandboxError {
  const proxy = proxyOf(url);
  const way = proxy === undefined ? "" : ` through the proxy ${proxy.host}`;
  const sentence = `The connection to ${new URL(url).host}${way} failed (${reasonOf(cause)}). Check the network, npm's registry, and for certificates of your own NODE_EXTRA_CA_CERTS.`;
  return installFailure(sentence, { step, url }, cause);
}
