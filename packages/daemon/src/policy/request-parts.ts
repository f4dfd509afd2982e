import { statSync } from "node:fs";
import type { ActionKind, PermissionRequestedData } from "@sandbox-agent-ts/protocol";
import { type PathBase, pathForms } from "./path-forms.ts";
import { programName, readShellLine, type ShellCommand } from "./shell-line.ts";

/** What a rule is held against: one file, one command, or one use of a tool. */
export interface RequestPart {
  readonly kind: ActionKind | undefined;
  readonly tool: string | undefined;
  readonly mcpServer: string | undefined;
  /** All that the path may mean; empty when it is not known, absent for what is not about a file. */
  readonly path?: readonly string[];
  readonly isDirectory?: boolean;
  /** `unknown` when something is run that cannot be told. */
  readonly command?: ShellCommand | "unknown";
  /** Paths that a command names, whatever it does with them. */
  readonly mentions?: readonly (readonly string[])[];
  /** It follows from a part that is decided anyway: it can only be denied or asked about. */
  readonly isConsequence?: boolean;
}

/** Programs that change the files they are given. */
const changers: Readonly<Record<string, ActionKind>> = {
  rm: "delete",
  rmdir: "delete",
  unlink: "delete",
  shred: "delete",
  mv: "move",
  cp: "edit",
  install: "edit",
  ln: "edit",
  mkdir: "edit",
  tee: "edit",
  touch: "edit",
  truncate: "edit",
};

export function requestParts(request: PermissionRequestedData, base: PathBase): readonly RequestPart[] {
  const common = {
    kind: request.kind ?? undefined,
    tool: request.tool ?? undefined,
    mcpServer: request.mcp_server ?? undefined,
  };
  const here = { ...base, directory: request.cwd ?? base.directory };
  const paths = (request.paths ?? []).map((path) => filePart(path, here));
  if (request.kind === "execute") {
    const { command } = request;
    const commands: RequestPart[] = command ? commandParts(command, here) : [{ ...common, command: "unknown" }];
    const named = paths.map((path) => ({ ...common, kind: "edit" as const, ...path, isConsequence: true }));
    return [...commands.map((part) => ({ ...common, ...part })), ...named];
  }
  if (paths.length > 0) return paths.map((path) => ({ ...common, ...path }));
  return [request.kind === "fetch" ? common : { ...common, path: [] }];
}

type FilePart = Pick<RequestPart, "path" | "isDirectory">;

function filePart(path: string | undefined, base: PathBase): FilePart {
  const forms = path === undefined ? [] : pathForms(path, base);
  return { path: forms, isDirectory: forms.some(isDirectory) };
}

type CommandPart = Omit<RequestPart, "kind" | "tool" | "mcpServer"> & { readonly kind: ActionKind };

function commandParts(source: string, base: PathBase): RequestPart[] {
  const line = readShellLine(source);
  const parts: CommandPart[] = line.commands.flatMap((command) => [
    { kind: "execute", command, mentions: mentionsOf(command, base) },
    ...changesOf(command, base),
  ]);
  if (line.isOpaque || parts.length === 0) parts.push({ kind: "execute", command: "unknown" });
  for (const path of line.writes) parts.push({ kind: "edit", ...filePart(path, base) });
  for (const path of line.reads) parts.push({ kind: "read", ...filePart(path, base), isConsequence: true });
  const whole: ShellCommand = { words: [source.trim()], knownHead: undefined, isPlain: true, isWrapper: false };
  parts.push({ kind: "execute", command: whole, isConsequence: true });
  return parts as RequestPart[];
}

function mentionsOf({ words }: ShellCommand, base: PathBase): (readonly string[])[] {
  return words.slice(1).map((word) => pathForms(word.replace(/^-[^=]*=/, ""), base));
}

/** Best effort: a program may do anything with any file. */
function changesOf({ words, isWrapper }: ShellCommand, base: PathBase): CommandPart[] {
  const start = isWrapper
    ? words.findIndex((word) => Object.hasOwn(changers, programName(word)))
    : words.findIndex((word) => !/^\w+=/.test(word));
  const name = programName(words[start] ?? "");
  const kind = Object.hasOwn(changers, name) ? changers[name] : undefined;
  if (kind === undefined) return [];
  const operands = words.slice(start + 1).filter((word) => !word.startsWith("-"));
  return operands.map((word) => ({ kind, ...filePart(word, base), isConsequence: true }));
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
