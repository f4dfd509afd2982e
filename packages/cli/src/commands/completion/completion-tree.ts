import type { Command, Option } from "commander";

/** What stands in one place of the command line: one of these words, or something that is looked up. */
export type Candidates = readonly string[] | "sessions" | "agents" | "files" | "anything";

export interface CompletionOption {
  readonly names: readonly string[];
  readonly description: string;
  /** Undefined for a switch. */
  readonly value: Candidates | undefined;
}

export interface CompletionNode {
  /** The words that lead to it, e.g. `sessions create`; empty for the program. */
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly CompletionOption[];
  readonly arguments: readonly Candidates[];
}

/** Every command with what may follow it, as commander knows it. */
export function completionTree(program: Command): CompletionNode[] {
  return nodesOf(program, "", []);
}

function nodesOf(command: Command, path: string, inherited: readonly CompletionOption[]): CompletionNode[] {
  const options = [...command.options.filter(({ hidden }) => !hidden).map(optionOf), ...inherited];
  const own = deduplicated(options);
  const node: CompletionNode = {
    path,
    commands: command.commands.flatMap((child) =>
      namesOf(child).map((name) => ({ name, description: child.description() })),
    ),
    options: [...own, { names: ["--help"], description: "show its help", value: undefined }],
    arguments: command.registeredArguments.map((argument) => argument.argChoices ?? lookedUp(argument.name())),
  };
  const below = command.commands.flatMap((child) =>
    namesOf(child).flatMap((name) => nodesOf(child, `${path} ${name}`.trim(), own)),
  );
  return [node, ...below];
}

const namesOf = (command: Command): string[] => [command.name(), ...command.aliases()];

function optionOf(option: Option): CompletionOption {
  const value = option.required || option.optional ? (option.argChoices ?? lookedUp(valueName(option))) : undefined;
  return { names: [option.short, option.long].filter((name) => name != null), description: option.description, value };
}

/** `--session-id <id>` is known by its own name, `--file <file>` by its value's. */
function valueName(option: Option): string {
  const [, name = ""] = /[<[](.+?)(?:\.\.\.)?[>\]]/.exec(option.flags) ?? [];
  return option.long === "--session-id" ? "session-id" : name;
}

const lookups: Readonly<Record<string, Candidates>> = {
  "session-id": "sessions",
  agent: "agents",
  file: "files",
  directory: "files",
};

const lookedUp = (name: string): Candidates => lookups[name] ?? "anything";

function deduplicated(options: readonly CompletionOption[]): CompletionOption[] {
  const seen = new Set<string>();
  return options.filter(({ names }) => {
    const isNew = names.every((name) => !seen.has(name));
    for (const name of names) seen.add(name);
    return isNew;
  });
}
