import { type ParseArgsConfig, parseArgs } from "node:util";
import { UsageError } from "../usage-error.ts";
import { serverFlags } from "./server-flags.ts";
import type { FlagValues } from "./server-settings.ts";

type ParseOptions = NonNullable<ParseArgsConfig["options"]>;

/** Node's own parser, because starting a server must not cost the loading of another. */
export const parseOptions: ParseOptions = Object.fromEntries(
  serverFlags.map(({ name, short, value, multiple }) => [
    name,
    {
      type: value === undefined ? ("boolean" as const) : ("string" as const),
      multiple: multiple ?? false,
      ...(short === undefined ? {} : { short }),
    },
  ]),
);

export function parseServerFlags(args: readonly string[]): FlagValues {
  try {
    return parseArgs({ args: [...args], options: parseOptions, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\nRun \`sandbox-agent server --help\` for all flags.`);
  }
}
