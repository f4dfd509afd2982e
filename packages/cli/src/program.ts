import { Command, CommanderError, Help, type Option } from "commander";
import { DEFAULT_ENDPOINT } from "./client/connection.ts";
import { addApiCommand } from "./commands/add-api-command.ts";
import { apiCommands } from "./commands/api-commands.ts";
import { addCacheCommands } from "./commands/cache-commands.ts";
import { addCompletionCommand } from "./commands/completion/completion-command.ts";
import { addCredentialsCommands } from "./commands/credentials-commands.ts";
import { addDaemonCommands } from "./commands/daemon-commands.ts";
import { examplesHelp } from "./commands/examples-help.ts";
import { addExecCommands } from "./commands/exec-commands.ts";
import type { Finish } from "./commands/finish.ts";
import { addInstallAgentCommand } from "./commands/install-agent-command.ts";
import { addLogsCommand } from "./commands/logs-command.ts";
import { addOpenCommand } from "./commands/open-command.ts";
import { addServerCommand } from "./commands/server-command.ts";
import { addTestingCommands } from "./commands/testing-commands.ts";
import { addUninstallAgentCommand } from "./commands/uninstall-agent-command.ts";
import { addChatCommand, addRunCommand } from "./conversation/conversation-commands.ts";
import { addDoctorCommand } from "./doctor/doctor-command.ts";
import { exitCode } from "./exit-code.ts";
import { addImageCommands } from "./images/image-commands.ts";
import { endOnInterrupt } from "./interrupts.ts";
import { withProgramArguments } from "./invocation.ts";
import { terminalOf } from "./output/terminal.ts";
import { addRuntimeCommands } from "./runtime/runtime-commands.ts";
import { version } from "./version.ts";

const groups = {
  server: "What answers at the endpoint",
  agents: "Agents: the programs that do the work",
  sessions: "Sessions: conversations with an agent",
  fs: "Files on the daemon's machine",
} as const;

/** Run any command except the server itself; answers the exit code. */
export async function runProgram(args: readonly string[]): Promise<number> {
  let code: number = exitCode.ok;
  const program = buildProgram((finished) => {
    code = finished;
  });
  if (args.length === 0) {
    program.outputHelp();
    return code;
  }
  endQuietly();
  const [first, ...rest] = args;
  try {
    await program.parseAsync(first === "help" ? [...rest, "--help"] : [...withProgramArguments(args)], {
      from: "user",
    });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitCode.ok : exitCode.usage;
  }
}

/** A reader that has seen enough (`| head`) and a Ctrl-C are no errors. */
function endQuietly(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(exitCode.ok);
  });
  endOnInterrupt();
}

/** Every command there is. */
export function buildProgram(finish: Finish): Command {
  const program = new Command("sandbox-agent")
    .description("Run coding agents in a sandbox and control them over HTTP.")
    .version(version, "-V, --version")
    .option(
      "-e, --endpoint <url>",
      `where the daemon is (env: SANDBOX_AGENT_ENDPOINT; default: the one of the data directory, else ${DEFAULT_ENDPOINT})`,
    )
    .option("-t, --token <token>", "its token (env: SANDBOX_AGENT_TOKEN; default: the one it generated)")
    .option("--data-dir <directory>", "data directory of the daemon (env: SANDBOX_AGENT_DATA_DIR)")
    .option("--json", "print JSON, whatever it goes to")
    .option("--verbose", "say which daemon is talked to")
    .helpCommand("help [command...]", "show the help of a command")
    .configureHelp({ showGlobalOptions: true, visibleGlobalOptions })
    .configureOutput({ outputError })
    .showHelpAfterError("Add --help to see how it is used.")
    .exitOverride();
  addRunCommand(program, finish);
  addChatCommand(program, finish);
  addServerCommand(program);
  addDaemonCommands(program, finish);
  addRuntimeCommands(program, finish);
  addImageCommands(program, finish);
  for (const group of ["sessions", "agents", "fs"] as const) addGroup(program, group, finish);
  addDoctorCommand(program, finish);
  addOpenCommand(program, finish);
  addLogsCommand(program, finish);
  addInstallAgentCommand(program, finish);
  addUninstallAgentCommand(program, finish);
  addCacheCommands(program, finish);
  addExecCommands(program, finish);
  addCredentialsCommands(program, finish);
  addTestingCommands(program, finish);
  addCompletionCommand(program, finish);
  const api = program.command("api").description("Every operation of the HTTP API as a command");
  for (const group of Object.keys(groups) as (keyof typeof groups)[]) addGroup(api, group, finish, true);
  return program.addHelpText("after", examplesHelp(firstSteps));
}

const firstSteps = [
  "chat --agent mock",
  'run "fix the failing test" --agent claude',
  "server                                         # the daemon, with the web inspector",
  "--token secret --host 0.0.0.0 --port 8080      # flags alone start the server",
];

function addGroup(parent: Command, group: keyof typeof groups, finish: Finish, isApi = false): void {
  const command = parent.command(group).description(groups[group]);
  for (const entry of apiCommands.filter(({ words }) => words[0] === group)) {
    addApiCommand(command, entry, finish, isApi);
  }
}

/** A command that has an option of the same name explains it itself: `daemon start --token` is not that of a client. */
function visibleGlobalOptions(this: Help, command: Command): Option[] {
  const own = new Set(command.options.map(({ long }) => long));
  const shown = Help.prototype.visibleGlobalOptions.call(this, command);
  return shown.filter(({ long }) => !own.has(long));
}

function outputError(text: string, write: (text: string) => void): void {
  write(text.replace(/^error:/, terminalOf(process.stderr).paint("red", "error:")));
}
