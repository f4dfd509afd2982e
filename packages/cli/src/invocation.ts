import { parseArgs } from "node:util";
import { parseOptions } from "./server/parse-server-flags.ts";

export type Invocation =
  | { readonly kind: "server"; readonly flags: readonly string[] }
  | { readonly kind: "version" }
  | { readonly kind: "program"; readonly args: readonly string[] };

const options = {
  ...parseOptions,
  endpoint: { type: "string", short: "e" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "V" },
} as const;

/**
 * Decide what a command line starts. `server`, and flags without any command word, start the server without loading
 * what the other commands need; everything else, and all help, is the program's.
 */
export function readInvocation(args: readonly string[]): Invocation {
  const { has, word } = scan(args);
  if (word === undefined && has("version")) return { kind: "version" };
  if (args.length === 0 || has("help")) return { kind: "program", args };
  if (word === undefined) return { kind: "server", flags: args };
  if (word.value !== "server") return { kind: "program", args };
  return { kind: "server", flags: args.filter((_, index) => index !== word.index) };
}

/** `--json`, and `api` with all its commands, ask for JSON wherever it goes. */
export function isForPrograms(args: readonly string[]): boolean {
  const { has, word } = scan(args);
  return has("json") || word?.value === "api";
}

/** What follows the agent in `exec <agent> …` and `login <agent> …` is its program's, flags included. */
export function withProgramArguments(args: readonly string[]): readonly string[] {
  const { word } = scan(args);
  if (word?.value !== "exec" && word?.value !== "login") return args;
  const agentAt = args.findIndex((each, index) => index > word.index && !each.startsWith("-"));
  if (agentAt === -1 || args[agentAt + 1] === "--") return args;
  return [...args.slice(0, agentAt + 1), "--", ...args.slice(agentAt + 1)];
}

function scan(args: readonly string[]) {
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
  const has = (name: string): boolean => tokens.some((token) => token.kind === "option" && token.name === name);
  return { has, word: tokens.find((token) => token.kind === "positional") };
}
