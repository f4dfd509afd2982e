import type { Command } from "commander";
import { serverFlags } from "../server/server-flags.ts";
import { addFlag } from "./commander-flag.ts";
import { examplesHelp } from "./examples-help.ts";

const examples = [
  "server",
  "server --host 0.0.0.0 --port 8080 --token secret",
  "server --no-token --ephemeral --log-level debug",
  "server --cors-allow-origin http://localhost:5173 --cors-allow-credentials",
];

/** Only the help: `main` runs the server itself, without commander. */
export function addServerCommand(program: Command): void {
  const command = program
    .command("server")
    .description("Run the daemon in the foreground until Ctrl-C")
    .configureHelp({ showGlobalOptions: false });
  for (const flag of serverFlags) addFlag(command, flag);
  command.addHelpText("after", examplesHelp(examples));
}
