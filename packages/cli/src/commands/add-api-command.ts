import type { Command } from "commander";
import { type ConnectionFlags, connectionOf } from "../client/connection.ts";
import { exitCode } from "../exit-code.ts";
import type { Flag } from "../flag.ts";
import { Output } from "../output/output.ts";
import { UsageError } from "../usage-error.ts";
import type { ApiCommand, Argument } from "./api-command.ts";
import { CommandInput } from "./command-input.ts";
import { addFlag, flagValues } from "./commander-flag.ts";
import { examplesHelp } from "./examples-help.ts";
import type { Finish } from "./finish.ts";

interface GlobalFlags extends ConnectionFlags {
  readonly json?: true;
  readonly verbose?: true;
}

/** Put one entry of the command table under its group; under `api` it prints JSON to whomever. */
export function addApiCommand(group: Command, entry: ApiCommand, finish: Finish, isApi: boolean): void {
  const command = group.command(entry.words[1]).description(entry.summary);
  if (entry.alias !== undefined) command.alias(entry.alias);
  for (const argument of entry.arguments ?? []) command.argument(argumentSyntax(argument), argument.description);
  for (const flag of entry.flags ?? []) addFlag(command, flag);
  for (const flag of flagArguments(entry)) addFlag(command, flag);
  command.addHelpText("after", examplesHelp(entry.examples));
  command.action(async () => finish(await runApiCommand(command, entry, isApi)));
}

async function runApiCommand(command: Command, entry: ApiCommand, isApi: boolean): Promise<number> {
  const flags = command.optsWithGlobals<GlobalFlags>();
  const connection = connectionOf(flags, process.env);
  if (flags.verbose) process.stderr.write(`The daemon is ${connection.place}.\n`);
  const { withClient } = await import("../client/with-client.ts");
  const input = inputOf(command, entry);
  const out = new Output(process.stdout, { json: isApi || flags.json });
  return withClient(connection, async (client) => {
    if (entry.streams) await client.getHealth();
    const code = await entry.run({ client, input, out });
    return typeof code === "number" ? code : exitCode.ok;
  });
}

function inputOf(command: Command, entry: ApiCommand): CommandInput {
  const byFlag = flagValues(command, flagArguments(entry));
  const given = (entry.arguments ?? []).flatMap(({ name, optional, asFlag }, index) => {
    const value = command.args[index] ?? (asFlag ? byFlag[name] : undefined);
    if (value === undefined && !optional) throw new UsageError(`Missing ${name}: give it as an argument or --${name}.`);
    return typeof value === "string" ? [[name, value] as const] : [];
  });
  return new CommandInput(new Map(given), flagValues(command, entry.flags ?? []));
}

/** Arguments that older scripts give as flags. */
function flagArguments(entry: ApiCommand): Flag[] {
  return (entry.arguments ?? [])
    .filter(({ asFlag }) => asFlag)
    .map(({ name, description }) => ({ name, value: name, description: `${description}, instead of the argument` }));
}

const argumentSyntax = ({ name, optional, asFlag }: Argument): string =>
  optional || asFlag ? `[${name}]` : `<${name}>`;
