import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { type AgentLogger, cacheDirectory, createSupervisor, loadAgents } from "@sandbox-agent-ts/agents";
import { EventLog, FilesStore, MemoryStore } from "@sandbox-agent-ts/store";
import { agentEnvironment } from "./agents/agent-environment.ts";
import { Agents } from "./agents/agents.ts";
import { Snapshots } from "./changes/snapshots.ts";
import type { DaemonOptions } from "./daemon-options.ts";
import type { DataDir } from "./data-dir/data-dir.ts";
import type { FileAccess } from "./files/file-access.ts";
import { UploadNotes } from "./files/upload-notes.ts";
import type { Secrets } from "./secrets/secrets.ts";
import { Attachments } from "./sessions/attachments.ts";
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

export function openHouse(
  options: DaemonOptions,
  dataDir: DataDir,
  fsRoots: readonly string[],
  log: AgentLogger,
  secrets: Secrets,
): House {
  const logs = new EventLog(dataDir.store === null ? new MemoryStore() : openFiles(dataDir.store, log));
  const supervisor = createSupervisor({ recordDir: dataDir.processes, owner: dataDir.owner, log });
  const agents = new Agents({
    load: async () => [...(await loadAgents()), ...(options.extraAgents ?? [])],
    spawn: supervisor.spawn,
    directory: dataDir.agents,
    installRoot: dataDir.programs ?? join(cacheDirectory(options.env), "programs"),
    autoInstall: options.autoInstall,
    env: { ...agentEnvironment(options.env, options.token), ...supervisor.marking },
    log,
  });
  const snapshots = new Snapshots({
    root: dataDir.snapshots,
    hidden: [dirname(dataDir.snapshots)],
    home: options.env.HOME ?? homedir(),
    path: options.env.PATH ?? "",
  });
  const uploads = dataDir.uploads === null ? undefined : new UploadNotes(dataDir.uploads);
  const attachments = new Attachments(dataDir.attachments);
  const sessions = new Sessions(logs, agents, attachments, {
    secrets,
    snapshots,
    ...(options.restartReason === undefined ? {} : { restartReason: options.restartReason }),
  });

  /** Processes of a daemon that was killed end before their sessions go on. */
  const recover = async () => {
    const reaped = await supervisor.reapOrphans();
    if (reaped.length > 0) log.warn({ reaped }, "ended agent processes that an earlier daemon left running");
    await uploads?.clean();
    await sessions.recover();
    dataDir.keepReserve();
  };
  let recovery: Promise<void> | undefined;
  return {
    agents,
    sessions,
    files: {
      roots: () => [...fsRoots, ...attachments.roots(), ...sessions.list().map(({ config }) => config.directory)],
      ...(uploads === undefined ? {} : { noteTemporary: (path: string) => uploads.add(path) }),
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
      snapshots.close();
      await sessions.shutDown();
      await agents.close();
      await supervisor.close();
      await logs.close();
    },
  };
}

function openFiles(directory: string, log: AgentLogger): FilesStore {
  return new FilesStore(directory, (folder, err) => {
    log.error({ err, folder }, "a session's folder cannot be read; left alone");
  });
}
