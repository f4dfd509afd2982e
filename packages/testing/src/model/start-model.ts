import { AssertionError } from "node:assert";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, isIPv6 } from "node:net";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import { AmpService } from "./amp/amp-service.ts";
import { ScriptPlayer } from "./conversation/script-player.ts";
import type { ModelScript } from "./script/model-script.ts";
import { parseScript } from "./script/parse-script.ts";
import { handleRequest } from "./server/handle-request.ts";
import type { ModelState } from "./server/model-state.ts";
import type { RecordedRequest } from "./server/recorded-request.ts";
import { refuseUpgrade } from "./server/refuse-upgrade.ts";
import { DEFAULT_WAIT_MS, RequestLog } from "./server/request-log.ts";

export interface StartModelOptions {
  readonly script: ModelScript;
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /** The address to listen on, and to be reached at; 127.0.0.1 by default. */
  readonly host?: string;
  /** Names for the lists of models; requests may name any other. */
  readonly models?: readonly string[];
  /** Keys that are wrong: every request with one of them gets 401, whatever the script says. */
  readonly refusedKeys?: readonly string[];
  /** Called with each request before it is answered. */
  readonly onRequest?: (request: RecordedRequest) => void;
}

/** A model service that speaks the real APIs and says what its script says. */
export interface ScriptedModel {
  /** `http://HOST:PORT`: what ANTHROPIC_BASE_URL and GOOGLE_GEMINI_BASE_URL take. */
  readonly url: string;
  /** With `/v1`: what OpenAI clients take as their base URL. */
  readonly openaiUrl: string;
  readonly anthropicUrl: string;
  readonly geminiUrl: string;
  /** What AMP_URL takes. */
  readonly ampUrl: string;
  /** All requests for an answer, in the order of arrival. */
  readonly requests: readonly RecordedRequest[];
  /** Unmet expectations and requests for which the script had nothing. */
  readonly problems: readonly string[];
  /** The first request that fits, whether it has come already or is still to come. */
  waitForRequest(
    predicate?: (request: RecordedRequest) => boolean,
    options?: { readonly timeoutMs?: number },
  ): Promise<RecordedRequest>;
  /** Throws if there are problems; call it at the end of a test. */
  verify(): void;
  /** Ends all connections, hanging ones too. May be called twice. */
  close(): Promise<void>;
}

/** Start a scripted model; a wrong script throws and says where it is wrong. */
export async function startModel(options: StartModelOptions): Promise<ScriptedModel> {
  const closing = new AbortController();
  const log = new RequestLog();
  const problems: string[] = [];
  const state: ModelState = {
    player: new ScriptPlayer(parseScript(options.script)),
    log,
    problems,
    models: options.models ?? ["scripted-model"],
    refusedKeys: options.refusedKeys ?? [],
    closed: closing.signal,
    onRequest: options.onRequest ?? (() => {}),
  };
  const { host = "127.0.0.1", port = 0 } = options;
  const server = await listen(state, host, port);
  const url = `http://${isIPv6(host) ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`;
  return {
    url,
    anthropicUrl: url,
    openaiUrl: `${url}/v1`,
    geminiUrl: url,
    ampUrl: url,
    requests: log.requests,
    problems,
    waitForRequest: (predicate = () => true, { timeoutMs = DEFAULT_WAIT_MS } = {}) =>
      log.waitFor(predicate, timeoutMs, closing.signal),
    verify: () => verify(problems),
    close: async () => {
      if (closing.signal.aborted) return;
      closing.abort();
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

async function listen(state: ModelState, host: string, port: number): Promise<ReturnType<typeof createServer>> {
  const amp = new AmpService(state);
  const server = createServer((request, response) => {
    handleRequest(state, amp, request, response).catch((error: unknown) => {
      if (response.destroyed || state.closed.aborted) return;
      state.problems.push(`The scripted model failed at ${request.url}: ${String(error)}`);
      response.destroy();
    });
  });
  server.on("upgrade", (request, socket, head) => {
    if (!amp.takeUpgrade(request, socket, head)) refuseUpgrade(request, socket);
  });
  server.listen(port, host);
  await once(server, "listening").catch((cause: NodeJS.ErrnoException) => {
    const isElsewhere = cause.code === "EADDRNOTAVAIL" || cause.code === "ENOTFOUND";
    const advice = isElsewhere ? "Name an address of this machine." : "Choose another port, or 0 for a free one.";
    throw new SandboxError("invalid_request", `Cannot listen on ${host}:${port} (${cause.code}). ${advice}`, {
      cause,
    });
  });
  return server;
}

function verify(problems: readonly string[]): void {
  if (problems.length === 0) return;
  const message = `The scripted model has ${problems.length} problem(s):\n${problems.map((line) => `  ${line}`).join("\n")}`;
  throw new AssertionError({ message });
}
