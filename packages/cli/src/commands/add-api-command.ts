import type { Command } from "commander";
import { type ConnectionFlags, connectionOf } from "../client/connection.ts";
import { exitCode } from "../exit-code.ts";
import { Output } from "../output/output.ts";
import type { ApiCommand, Argument } from "./api-command.ts";
import { CommandInput } from "./command-input.ts";
import { addFlag, flagValues } from "./commander-flag.ts";
import { examplesHelp } from "./examples-help.ts";
import type { Finish } from "./finish.ts";

/** Put one entry of the command table under its group. */
export function addApiCommand(group: Command, entry: ApiCommand, finish: Finish): void {
  const command = group.command(entry.words[1]).description(entry.summary);
  if (entry.alias !== undefined) command.alias(entry.alias);
  for (const argument of entry.arguments ?? []) command.argument(argumentSyntax(argument), argument.description);
  for (const flag of entry.flags ?? []) addFlag(command, flag);
  command.addHelpText("after", examplesHelp(entry.examples));
  command.action(async () => finish(await runApiCommand(command, entry)));
}

async function runApiCommand(command: Command, entry: ApiCommand): Promise<number> {
  const connection = connectionOf(command.optsWithGlobals<ConnectionFlags>(), process.env);
  const { withClient } = await import("../client/with-client.ts");
  const input = inputOf(command, entry);
  const out = new Output(process.stdout);
  return withClient(connection, async (client) => {
    if (entry.streams) await client.getHealth();
    const code = await entry.run({ client, input, out });
    return typeof code === "number" ? code : exitCode.ok;
  });
}

function inputOf(command: Command, entry: ApiCommand): CommandInput {
  const given = (entry.arguments ?? []).flatMap(({ name }, index) => {
    const value = command.args[index];
    return value === undefined ? [] : [[name, value] as const];
  });
  return new CommandInput(new Map(given), flagValues(command, entry.flags ?? []));
}

const argumentSyntax = ({ name, optional }: Argument): string => (optional ? `[${name}]` : `<${name}>`);
