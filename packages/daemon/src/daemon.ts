import { setMaxListeners } from "node:events";
import type { AgentAdapter } from "@sandbox-agent-ts/agents";
import {
  checkLocal,
  checkToken,
  createLogger,
  listen,
  logRequest,
  portOf,
  stopListening,
} from "@sandbox-agent-ts/server";
import type { Daemon, DaemonOptions } from "./daemon-options.ts";
import { openDataDir } from "./data-dir/data-dir.ts";
import { realRoots } from "./files/real-roots.ts";
import type { House } from "./house.ts";
import { secretsOfDaemon } from "./secrets/secret-variables.ts";
import { Secrets } from "./secrets/secrets.ts";

/** The house waits this long for the first request to ask for it, so that it never delays the answer that we are up. */
const recoverAfterMs = 100;

/**
 * Bring the house up: take the data directory and listen. Recovery follows, so that health answers at once and everything
 * else as soon as the sessions are there.
 */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const { version, host } = options;
  const startedAt = Date.now();
  const secrets = new Secrets(secretsOfDaemon(options));
  const log = createLogger(options.logLevel, options.logFormat, {
    file: options.logFile,
    redact: (line) => secrets.redactJson(line),
  });
  const extraAgents = [...(await customAgents(options)), ...(options.extraAgents ?? [])];
  const dataDir = await openDataDir(options.dataDir);
  try {
    const closing = new AbortController();
    setMaxListeners(0, closing.signal);
    const fsRoots = realRoots(options.fsRoots);
    let house: Promise<House> | undefined;
    const openHouse = () => {
      house ??= import("./house.ts").then((module) =>
        module.openHouse({ ...options, extraAgents }, dataDir, fsRoots, log, secrets),
      );
      return house;
    };
    const recovered = async () => {
      const opened = await openHouse();
      await opened.recovered();
      return opened;
    };
    const health = () => ({ status: "ok" as const, version, uptimeMs: Date.now() - startedAt });
    const { token, cors } = options;
    const server = await listen({
      host,
      port: options.port,
      cors,
      admitsPages: token === null,
      admit: ({ headers }) => (token === null ? checkLocal(headers, host, cors.origins) : checkToken(headers, token)),
      health,
      handler: async () => {
        const [{ createDaemonHandler }, opened] = await Promise.all([import("./http/handler.ts"), recovered()]);
        return createDaemonHandler(opened, {
          ui: options.ui,
          version,
          health,
          log,
          closing: closing.signal,
          redact: (json: string) => secrets.redactJson(json),
        });
      },
      onRequest: (request, response) => logRequest(log, request, response),
      onError: (err) => log.error({ err }, "a connection could not be accepted"),
    });
    const recovery = setTimeout(() => void recovered().catch(() => {}), recoverAfterMs);
    const close = async () => {
      clearTimeout(recovery);
      closing.abort();
      const drained = stopListening(server);
      await (await house)?.close();
      await drained;
      dataDir.release();
    };
    let closed: Promise<void> | undefined;
    const port = portOf(server);
    return {
      host,
      port,
      url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
      close: () => {
        closed ??= close();
        return closed;
      },
    };
  } catch (error) {
    dataDir.release();
    throw error;
  }
}

/** A mistake in the configuration is said at once, not to the first session. Nothing is loaded where there is none. */
async function customAgents({ acpAgents = [] }: DaemonOptions): Promise<readonly AgentAdapter[]> {
  if (acpAgents.length === 0) return [];
  const { acpAgentsOf } = await import("./agents/acp-agents.ts");
  return acpAgentsOf(acpAgents);
}
