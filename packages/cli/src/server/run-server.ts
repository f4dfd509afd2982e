import { fstatSync, statSync } from "node:fs";
import { processStartTime } from "@sandbox-agent-ts/agents/process-identity";
import { type DaemonOptions, startDaemon } from "@sandbox-agent-ts/daemon";
import { logPath, removeRunRecord, writeRunRecord } from "../background/run-record.ts";
import type { StarterNews } from "../background/start-background.ts";
import { exitCode } from "../exit-code.ts";
import { problemOf } from "../report-failure.ts";
import { version } from "../version.ts";
import { generatedToken, randomToken } from "./generated-token.ts";
import { inspectorFiles } from "./inspector-files.ts";
import { parseServerFlags } from "./parse-server-flags.ts";
import { reachableUrl } from "./reachable-url.ts";
import { readAcpAgents } from "./read-acp-agents.ts";
import { openServerWarning, type RunningServer, serverBanner } from "./server-banner.ts";
import { type ServerSettings, serverSettings } from "./server-settings.ts";
import { untilSignal } from "./until-signal.ts";

/** Be a daemon in the foreground until a signal ends it. */
export async function runServer(flags: readonly string[]): Promise<number> {
  const settings = serverSettings(parseServerFlags(flags), process.env);
  try {
    return await serve(settings);
  } catch (error) {
    await tellStarter({ problem: problemOf(error) });
    throw error;
  }
}

async function serve(settings: ServerSettings): Promise<number> {
  const token = tokenFor(settings);
  const signalled = untilSignal();
  const acpAgents = await readAcpAgents(settings, process.env);
  const options = daemonOptions(settings, token);
  const daemon = await startDaemon({ ...options, acpAgents });
  const url = reachableUrl(daemon.url);
  recordRun(settings, url, token);
  greet(settings, { url, token, hasInspector: options.ui !== undefined });
  await tellStarter("ready");
  await signalled;
  endAtLatest();
  await daemon.close();
  if (!settings.ephemeral) removeRunRecord(settings.dataDir, process.pid);
  // What is left, such as a download that nobody waits for, does not keep the process.
  setTimeout(() => process.exit(), lingerMs).unref();
  return exitCode.ok;
}

/** Whatever hangs, the daemon is gone in the end; what it leaves running the next one ends. */
const closeLimitMs = 30_000;
const lingerMs = 500;

function endAtLatest(): void {
  setTimeout(() => process.kill(process.pid, "SIGKILL"), closeLimitMs).unref();
}

function daemonOptions(settings: ServerSettings, token: string | null): DaemonOptions {
  const { host, port, cors, fsRoots, logLevel, autoInstall } = settings;
  const logFormat = settings.logFormat ?? (process.stderr.isTTY ? "text" : "json");
  const dataDir = settings.ephemeral ? null : settings.dataDir;
  const ui = settings.ui ? inspectorFiles() : undefined;
  const logFile = dataDir === null ? undefined : logPath(dataDir);
  const logging = { logLevel, logFormat, logFile };
  const restartReason = process.env.SANDBOX_AGENT_RESTART_REASON || undefined;
  const { env } = process;
  return { host, port, token, cors, dataDir, fsRoots, ui, ...logging, restartReason, version, autoInstall, env };
}

/** Lets `daemon stop|status` find this process and, for a token nobody knows yet, lets the CLI in. */
function recordRun(settings: ServerSettings, url: string, token: string | null): void {
  if (settings.ephemeral) return;
  const startTime = processStartTime(process.pid);
  const generated = settings.token === undefined && token !== null ? { token } : {};
  const log = logPath(settings.dataDir);
  const logged = isStderr(log) ? { log } : {};
  writeRunRecord(settings.dataDir, { pid: process.pid, startTime: startTime ?? "", url, ...generated, ...logged });
}

/** An older daemon may have left a file of this name. */
function isStderr(path: string): boolean {
  const file = statSync(path, { throwIfNoEntry: false });
  const { dev, ino } = fstatSync(process.stderr.fd);
  return file?.dev === dev && file.ino === ino;
}

function tokenFor({ token, ephemeral, dataDir }: ServerSettings): string | null {
  if (token !== undefined) return token;
  return ephemeral ? randomToken() : generatedToken(dataDir);
}

/** Tell `daemon start` at the other end of the channel, if there is one. */
async function tellStarter(news: StarterNews): Promise<void> {
  if (process.send === undefined) return;
  await new Promise((resolve) => process.send?.(news, resolve));
}

/** Tell the person at the terminal. */
function greet(settings: ServerSettings, server: RunningServer): void {
  const warning = openServerWarning(settings.host, server.token);
  if (warning !== undefined) process.stderr.write(warning);
  if (!settings.quiet) process.stdout.write(serverBanner(server, settings));
}
