import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { type AgentLogger, cacheDirectory, createSupervisor, loadAgents } from "@sandbox-agent/agents";
import { SandboxError } from "@sandbox-agent/protocol";
import { EventLog } from "@sandbox-agent/store";
import { agentEnvironment } from "./agents/agent-environment.ts";
import { Agents } from "./agents/agents.ts";
import type { DaemonOptions } from "./daemon-options.ts";
import type { DataDir } from "./data-dir/data-dir.ts";
import type { FileAccess } from "./files/file-access.ts";
import { Sessions } from "./sessions/sessions.ts";

/** What the daemon has apart from its door: agents, sessions, files. */
export interface House {
  readonly agents: Agents;
  readonly sessions: Sessions;
  readonly files: FileAccess;
  /** Recover what an earlier daemon left, the first time it is called; resolves when the sessions are there. */
  recovered(): Promise<void>;
  close(): Promise<void>;
}

export function openHouse(options: DaemonOptions, dataDir: DataDir, log: AgentLogger): House {
  const logs = new EventLog(
    dataDir.openStore((folder, err) => log.error({ err, folder }, "a session's folder cannot be read; left alone")),
  );
  const supervisor = createSupervisor({ recordDir: dataDir.processes, owner: dataDir.owner, log });
  const agents = new Agents({
    load: async () => [...(await loadAgents()), ...(options.extraAgents ?? [])],
    spawn: supervisor.spawn,
    directory: dataDir.agents,
    installRoot: dataDir.programs ?? join(cacheDirectory(options.env), "programs"),
    env: agentEnvironment(options.env, options.token),
    log,
  });
  const sessions = new Sessions(logs, agents);
  const fsRoots = realRoots(options.fsRoots.length > 0 ? options.fsRoots : [homedir()]);

  /** Processes of a daemon that was killed end before their sessions go on. */
  const recover = async () => {
    const reaped = await supervisor.reapOrphans();
    if (reaped.length > 0) log.warn({ reaped }, "ended agent processes that an earlier daemon left running");
    await sessions.recover();
  };
  let recovery: Promise<void> | undefined;
  return {
    agents,
    sessions,
    files: {
      roots: () => [...fsRoots, ...sessions.list().map(({ config }) => config.directory)],
      base: (sessionId) => (sessionId === undefined ? fsRoots[0]! : sessions.get(sessionId).config.directory),
    },
    recovered: () => {
      recovery ??= recover().catch((err: unknown) => {
        log.error({ err }, "recovery failed; the next request tries again");
        recovery = undefined;
        throw err;
      });
      return recovery;
    },
    close: async () => {
      await recovery?.catch(() => {});
      await sessions.shutDown();
      await agents.close();
      await supervisor.close();
      await logs.close();
    },
  };
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
