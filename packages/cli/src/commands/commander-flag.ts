import { type Command, Option } from "commander";
import type { Flag } from "../flag.ts";

/** Teach commander a flag of our tables. */
export function addFlag(command: Command, flag: Flag): void {
  command.addOption(commanderOption(flag));
}

function commanderOption(flag: Flag): Option {
  const value = flag.value === undefined ? "" : ` <${flag.value}>`;
  const option = new Option(
    `${flag.short === undefined ? "" : `-${flag.short}, `}--${flag.name}${value}`,
    flag.required ? `${flag.description} (required)` : flag.description,
  );
  if (flag.choices !== undefined) option.choices([...flag.choices]);
  if (flag.multiple) option.argParser((text: string, earlier: string[] | undefined) => [...(earlier ?? []), text]);
  if (flag.required) option.makeOptionMandatory();
  return option;
}

type CommanderValue = string | boolean | string[] | undefined;

/** The values commander found, by the flag names of our tables. */
export function flagValues(command: Command, flags: readonly Flag[]): Record<string, CommanderValue> {
  const values = command.optsWithGlobals<Record<string, CommanderValue>>();
  return Object.fromEntries(flags.map((flag) => [flag.name, flagValue(values, flag)]));
}

/** Commander reads `--no-x` as the opposite of `--x`, and keeps both under the name `x`. */
function flagValue(values: Record<string, CommanderValue>, flag: Flag): CommanderValue {
  const option = commanderOption(flag);
  const value = values[option.attributeName()];
  if (option.negate) return value === false;
  const isOther = typeof value === "boolean" && flag.value !== undefined;
  return isOther ? undefined : value;
}
