import type { Command } from "commander";
import { isHealthy } from "../background/is-healthy.ts";
import { type RunRecord, runningDaemon } from "../background/run-record.ts";
import { servesInspector } from "../background/serves-inspector.ts";
import { startBackground } from "../background/start-background.ts";
import { stopBackground } from "../background/stop-background.ts";
import { dataDirectory } from "../data-dir.ts";
import { exitCode } from "../exit-code.ts";
import type { Flag } from "../flag.ts";
import { Output } from "../output/output.ts";
import { inspectorLink } from "../server/inspector-link.ts";
import { serverArguments } from "../server/server-arguments.ts";
import { openServerWarning } from "../server/server-banner.ts";
import { serverFlags } from "../server/server-flags.ts";
import { serverSettings } from "../server/server-settings.ts";
import { addFlag, flagValues } from "./commander-flag.ts";
import { examplesHelp } from "./examples-help.ts";
import type { Finish } from "./finish.ts";

const startFlags: readonly Flag[] = serverFlags.filter(({ foregroundOnly }) => !foregroundOnly);

interface GlobalFlags {
  readonly dataDir?: string;
  readonly json?: true;
  readonly token?: string;
}

export function addDaemonCommands(program: Command, finish: Finish): void {
  const daemon = program.command("daemon").description("A daemon in the background, one per data directory");
  addStart(daemon, finish);
  addStop(daemon, finish);
  addStatus(daemon, finish);
}

const outputOf = ({ json }: GlobalFlags): Output => new Output(process.stdout, { json });

function addStart(daemon: Command, finish: Finish): void {
  const command = daemon.command("start").description("Start it, unless it runs already; takes the flags of `server`");
  for (const flag of startFlags) addFlag(command, flag);
  command.addHelpText("after", examplesHelp(["daemon start", "daemon start --port 0 --data-dir ./data --json"]));
  command.action(async () => {
    const out = outputOf(command.optsWithGlobals<GlobalFlags>());
    const settings = serverSettings(flagValues(command, startFlags), process.env);
    process.stderr.write(openServerWarning(settings.host, settings.token) ?? "");
    const { daemon: record, alreadyRunning } = await startBackground({
      flags: serverArguments(settings),
      token: settings.token ?? undefined,
      dataDir: settings.dataDir,
      env: process.env,
    });
    const inspector = await inspectorOf(record, settings.token);
    const { pid, url, log } = record;
    const answer = { alreadyRunning, pid, url, ...inspector, ...(log === undefined ? {} : { log }) };
    await (out.audience === "json" ? out.json(answer) : out.line(startText(answer)));
    finish(exitCode.ok);
  });
}

interface Started {
  readonly alreadyRunning: boolean;
  readonly pid: number;
  readonly url: string;
  readonly inspector?: string;
  readonly log?: string;
}

function startText({ alreadyRunning, pid, url, inspector, log }: Started): string {
  return [
    `The daemon ${alreadyRunning ? "already runs" : "runs now"} at ${url} (pid ${pid}).`,
    ...(log === undefined ? [] : [`Log: ${log}`]),
    ...(inspector === undefined ? [] : [`Open: ${inspector}`]),
  ].join("\n");
}

/** The link that opens its inspector, with its token if we know it. */
async function inspectorOf({ url, token }: RunRecord, given?: string | null): Promise<{ inspector?: string }> {
  return (await servesInspector(url)) ? { inspector: inspectorLink(url, token ?? given) } : {};
}

function addStop(daemon: Command, finish: Finish): void {
  const command = daemon.command("stop").description("Stop it: agents are ended, sessions stay for the next start");
  command.addHelpText("after", examplesHelp(["daemon stop"]));
  command.action(async () => {
    const flags = command.optsWithGlobals<GlobalFlags>();
    const out = outputOf(flags);
    const result = await stopBackground(dataDirectory(flags.dataDir, process.env));
    const text = result.pid === undefined ? "No daemon runs." : `The daemon (pid ${result.pid}) was ${result.outcome}.`;
    await (out.audience === "json" ? out.json(result) : out.line(text));
    finish(exitCode.ok);
  });
}

function addStatus(daemon: Command, finish: Finish): void {
  const command = daemon.command("status").description("Does it run? Exit code 0 if it does and answers, else 1");
  command.addHelpText("after", examplesHelp(["daemon status", "daemon status --json"]));
  command.action(async () => {
    const flags = command.optsWithGlobals<GlobalFlags>();
    const dataDir = dataDirectory(flags.dataDir, process.env);
    const record = runningDaemon(dataDir);
    const healthy = record !== undefined && (await isHealthy(record.url));
    const running = record === undefined ? { running: false } : { running: true, pid: record.pid, url: record.url };
    const inspector = healthy ? await inspectorOf(record, process.env.SANDBOX_AGENT_TOKEN) : {};
    const status = { ...running, healthy, ...inspector, dataDir, ...(record?.log ? { log: record.log } : {}) };
    await outputOf(flags).details(status);
    finish(healthy ? exitCode.ok : exitCode.failure);
  });
}
