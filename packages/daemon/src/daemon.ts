import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { createSupervisor, loadAgents, type Supervisor } from "@sandbox-agent/agents";
import { SandboxError } from "@sandbox-agent/protocol";
import { EventLog } from "@sandbox-agent/store";
import { agentEnvironment } from "./agents/agent-environment.ts";
import { Agents } from "./agents/agents.ts";
import type { Daemon, DaemonOptions } from "./daemon-options.ts";
import { openDataDir } from "./data-dir/data-dir.ts";
import { createApp } from "./http/app.ts";
import type { HttpContext } from "./http/http-context.ts";
import { logRequest } from "./http/request-log.ts";
import { listen, portOf, stopListening } from "./http/server.ts";
import { createLogger } from "./logger.ts";
import { Sessions } from "./sessions/sessions.ts";

/**
 * Bring the house up: take the data directory, listen, and recover in the background, so that health answers at once
 * and everything else as soon as the sessions are there.
 */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const { version } = options;
  const log = createLogger(options.logLevel);
  const dataDir = openDataDir(options.dataDir);
  try {
    const logs = new EventLog(
      dataDir.openStore((folder, err) => log.error({ err, folder }, "a session's folder cannot be read; left alone")),
    );
    const closing = new AbortController();
    const supervisor = createSupervisor({ recordDir: dataDir.processes, owner: dataDir.owner, log });
    const agents = new Agents({
      load: async () => [...(await loadAgents()), ...(options.extraAgents ?? [])],
      spawn: supervisor.spawn,
      directory: dataDir.agents,
      env: agentEnvironment(options.env, options.token),
      log,
    });
    const sessions = new Sessions(logs, agents);
    const recovered = recover(supervisor, sessions, log);
    recovered.catch((err: unknown) => log.error({ err }, "recovery failed"));
    const fsRoots = realRoots(options.fsRoots.length > 0 ? options.fsRoots : [homedir()]);
    const context: HttpContext = {
      version,
      agents,
      sessions,
      files: {
        roots: () => [...fsRoots, ...sessions.list().map(({ config }) => config.directory)],
        base: (sessionId) => (sessionId === undefined ? fsRoots[0]! : sessions.get(sessionId).config.directory),
      },
      closing: closing.signal,
    };
    const app = createApp({
      version,
      startedAt: Date.now(),
      context: () => recovered.then(() => context),
      onError: (err) => log.error({ err }, "a request failed"),
    });
    const server = await listen(app, {
      ...options,
      onRequest: (request, response) => logRequest(log, request, response),
    });
    const close = async () => {
      closing.abort();
      const drained = stopListening(server);
      await recovered.catch(() => {});
      await sessions.shutDown();
      await agents.close();
      await supervisor.close();
      await logs.close();
      await drained;
      dataDir.release();
    };
    let closed: Promise<void> | undefined;
    return {
      host: options.host,
      port: portOf(server),
      url: `http://${options.host.includes(":") ? `[${options.host}]` : options.host}:${portOf(server)}`,
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

/** The jail compares real paths, so its walls are made real once, before an agent can move them. */
function realRoots(roots: readonly string[]): string[] {
  return roots.map((root) => {
    try {
      return realpathSync(root);
    } catch (cause) {
      throw new SandboxError("internal_error", `${root} cannot be used as --fs-root: it is not there.`, { cause });
    }
  });
}

/** Processes of a daemon that was killed end before their sessions go on. */
async function recover(
  supervisor: Supervisor,
  sessions: Sessions,
  log: ReturnType<typeof createLogger>,
): Promise<void> {
  const reaped = await supervisor.reapOrphans();
  if (reaped.length > 0) log.warn({ reaped }, "ended agent processes that an earlier daemon left running");
  await sessions.recover();
}
