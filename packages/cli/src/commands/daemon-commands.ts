import type { Command } from "commander";
import { isHealthy } from "../background/is-healthy.ts";
import { runningDaemon } from "../background/run-record.ts";
import { servesInspector } from "../background/serves-inspector.ts";
import { logPath, startBackground } from "../background/start-background.ts";
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

const jsonFlag: Flag = { name: "json", description: "print it as JSON" };
const dataDirFlag: Flag = {
  name: "data-dir",
  value: "directory",
  description: "data directory of the daemon (env: SANDBOX_AGENT_DATA_DIR)",
};
const startFlags: readonly Flag[] = serverFlags.filter(({ foregroundOnly }) => !foregroundOnly);

export function addDaemonCommands(program: Command, finish: Finish): void {
  const daemon = program.command("daemon").description("A daemon in the background, one per data directory");
  const out = new Output(process.stdout);
  addStart(daemon, out, finish);
  addStop(daemon, out, finish);
  addStatus(daemon, out, finish);
}

function addStart(daemon: Command, out: Output, finish: Finish): void {
  const command = daemon.command("start").description("Start it, unless it runs already; takes the flags of `server`");
  for (const flag of [...startFlags.filter(({ name }) => name !== "token"), jsonFlag]) addFlag(command, flag);
  command.addHelpText("after", examplesHelp(["daemon start", "daemon start --port 0 --data-dir ./data --json"]));
  command.action(async () => {
    const values = { ...flagValues(command, startFlags), token: command.optsWithGlobals<{ token?: string }>().token };
    const settings = serverSettings(values, process.env);
    process.stderr.write(openServerWarning(settings.host, settings.token) ?? "");
    const { daemon: record, alreadyRunning } = await startBackground({
      program: process.argv[1] ?? "",
      flags: serverArguments(settings),
      token: settings.token ?? undefined,
      dataDir: settings.dataDir,
      env: process.env,
    });
    const link = inspectorLink(record.url, record.token ?? settings.token);
    const inspector = (await servesInspector(record.url)) ? { inspector: link } : {};
    const { pid, url } = record;
    const answer = { alreadyRunning, pid, url, ...inspector, log: logPath(settings.dataDir) };
    await (command.opts<{ json?: true }>().json ? out.json(answer) : out.line(startText(answer)));
    finish(exitCode.ok);
  });
}

interface Started {
  readonly alreadyRunning: boolean;
  readonly pid: number;
  readonly url: string;
  readonly inspector?: string;
  readonly log: string;
}

function startText({ alreadyRunning, pid, url, inspector, log }: Started): string {
  const lines = [`The daemon ${alreadyRunning ? "already runs" : "runs now"} at ${url} (pid ${pid}).`, `Log: ${log}`];
  return [...lines, ...(inspector === undefined ? [] : [`Open: ${inspector}`])].join("\n");
}

function addStop(daemon: Command, out: Output, finish: Finish): void {
  const command = daemon.command("stop").description("Stop it: agents are ended, sessions stay for the next start");
  for (const flag of [dataDirFlag, jsonFlag]) addFlag(command, flag);
  command.addHelpText("after", examplesHelp(["daemon stop"]));
  command.action(async ({ dataDir, json }: { dataDir?: string; json?: true }) => {
    const result = await stopBackground(dataDirectory(dataDir, process.env));
    const text = result.pid === undefined ? "No daemon runs." : `The daemon (pid ${result.pid}) was ${result.outcome}.`;
    await (json ? out.json(result) : out.line(text));
    finish(exitCode.ok);
  });
}

function addStatus(daemon: Command, out: Output, finish: Finish): void {
  const command = daemon.command("status").description("Does it run? Exit code 0 if it does and answers, else 1");
  for (const flag of [dataDirFlag, jsonFlag]) addFlag(command, flag);
  command.addHelpText("after", examplesHelp(["daemon status", "daemon status --json"]));
  command.action(async ({ dataDir: given, json }: { dataDir?: string; json?: true }) => {
    const dataDir = dataDirectory(given, process.env);
    const record = runningDaemon(dataDir);
    const healthy = record !== undefined && (await isHealthy(record.url));
    const running = record === undefined ? { running: false } : { running: true, pid: record.pid, url: record.url };
    const status = { ...running, healthy, dataDir, log: logPath(dataDir) };
    await (json ? out.json(status) : out.properties(status));
    finish(healthy ? exitCode.ok : exitCode.failure);
  });
}
