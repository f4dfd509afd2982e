import { SandboxError } from "@sandbox-agent-ts/protocol";
import { followRedirects, type OpenedResponse } from "./follow-redirects.ts";
import { type InstallStep, installFailure, reasonOf, withoutSecrets } from "./install-failure.ts";
import type { Network } from "./network.ts";
import type { NetworkLimits } from "./network-limits.ts";
import { Patience } from "./patience.ts";
import { Transient } from "./retrying.ts";

export interface HttpGet {
  readonly url: string;
  readonly accept: string;
  readonly authorization: string | undefined;
  /** What the request is for, for its failures. */
  readonly step: InstallStep;
  readonly limits: NetworkLimits;
  readonly network: Network;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whom it is sent to, for sentences about its failures; default: npm's registry. */
  readonly service?: AskedService;
  /** Called once the server has answered. */
  readonly onAnswer?: (answer: HttpAnswer) => void;
}

export type HttpAnswer = Omit<OpenedResponse, "body">;

export interface AskedService {
  /** What to check where it cannot be reached. */
  readonly settings: string;
  /** The end of a sentence about an answer of this status; begins with its own punctuation. */
  advice(status: number, hasCredentials: boolean): string;
}

/** The body of the answer, piece by piece; no piece is waited for longer than the limits allow. */
export async function* httpGet(request: HttpGet): AsyncGenerator<Uint8Array, void, undefined> {
  const { url, accept, authorization, limits, network, onAnswer } = request;
  const patience = new Patience();
  try {
    patience.wait(limits.answerMs);
    const headers = { accept, ...request.headers, ...(authorization === undefined ? {} : { authorization }) };
    const { body, ...answer } = await followRedirects(url, headers, network, patience.signal);
    if (answer.status < 200 || answer.status > 299) throw refused(request, answer.status);
    onAnswer?.(answer);
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

function refused({ url, step, authorization, service = npm }: HttpGet, status: number): SandboxError | Transient {
  const advice = service.advice(status, authorization !== undefined);
  const failure = installFailure(`${withoutSecrets(url)} answered ${status}${advice}`, {
    step,
    url,
    status,
  });
  return mayPass.has(status) ? new Transient(failure) : failure;
}

const npm: AskedService = {
  settings: "npm's registry",
  advice(status, hasCredentials) {
    if (status === 404) return ": there is no such package there, or it is not for everybody to see.";
    if (status !== 401 && status !== 403) return ". Try again later.";
    return hasCredentials
      ? ": it does not accept the credentials that npm has for it."
      : ": it asks for credentials. Sign in with `npm login`, or give a token in .npmrc.";
  },
};

function unreachable({ url, step, network, service = npm }: HttpGet, cause: unknown): SandboxError {
  const proxy = network.proxyOf(url);
  const way = proxy === undefined ? "" : ` through the proxy ${proxy.host}`;
  const sentence = `The connection to ${new URL(url).host}${way} failed (${reasonOf(cause)}). Check the network, ${service.settings}, and for certificates of your own NODE_EXTRA_CA_CERTS.`;
  return installFailure(sentence, { step, url }, cause);
}
