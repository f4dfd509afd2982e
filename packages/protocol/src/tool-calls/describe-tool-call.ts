import type { ActionKind } from "../tool-call.ts";
import { absolutePath, type PathBase } from "./absolute-path.ts";
import { type PatchedFile, parsePatchText } from "./patch-text.ts";
import { inputOf, pathsOfInput, type ToolInput, textOf } from "./tool-input.ts";
import { kindOfVerb, moreDangerous, type ToolVerb, verbOfKind, verbOfName } from "./tool-verbs.ts";

export interface ToolCallHints extends PathBase {
  /** What the agent says of its kind, in our words or those of the Agent Client Protocol. */
  readonly kind?: string | undefined;
  /** What the agent says for people; used where nothing better is known. */
  readonly title?: string | undefined;
  /** Files that the agent names beside the input. */
  readonly paths?: readonly string[];
  /** Names of the session's MCP servers: some agents only put them in front of the tool's name. */
  readonly mcpServers?: readonly string[];
}

export interface ToolCallDescription {
  readonly kind: ActionKind;
  /** What it does, as a sentence. */
  readonly title: string;
  /** The one thing that tells this use from others: a command, a path, what is searched. May be empty. */
  readonly subject: string;
  /** Absolute where the directory is known. */
  readonly paths: readonly string[];
  readonly command?: string;
  readonly cwd?: string;
  readonly url?: string;
  readonly mcpServer?: string;
  readonly mcpTool?: string;
}

const LONGEST_TITLE = 500;

/**
 * What a tool call does, from the tool's name and its input, an object or JSON text, in the words that all agents' tools
 * have in common. A patch that edits and deletes is a `delete`, one that moves a `move`: the most dangerous kind counts.
 * Pure.
 */
export function describeToolCall(name: string, rawInput: unknown, hints: ToolCallHints = {}): ToolCallDescription {
  const input = inputOf(rawInput);
  const mcp = mcpToolOf(name, hints.mcpServers ?? []);
  const patched = mcp ? [] : patchedFiles(rawInput, input);
  const verb = mcp ? "nothing" : verbOf(name, input, hints.kind, patched);
  const [command, url] = [verb === "run" ? commandOf(input) : undefined, urlOf(verb, input)];
  const told = distinct(
    [...(hints.paths ?? []), ...(verb === "run" || mcp ? [] : pathsTold(verb, input, patched))],
    hints,
  );
  const subject = command ?? subjectOf(input, told);
  const title = titleOf({ name, verb, mcp, command, url, subject, told, patched, hints, input });
  return {
    kind: mcp ? "mcp" : kindOfVerb[verb],
    title: title.length > LONGEST_TITLE ? `${title.slice(0, LONGEST_TITLE)}…` : title,
    subject,
    paths: told.map((path) => absolutePath(path, hints)),
    ...(command === undefined ? {} : { command }),
    ...(verb === "run" ? cwdOf(input, hints) : {}),
    ...(url === undefined ? {} : { url }),
    ...(mcp ? { mcpServer: mcp.server, mcpTool: mcp.tool } : {}),
  };
}

/** Each file once, as it is spelled first. */
function distinct(paths: readonly string[], base: PathBase): string[] {
  const absolute = paths.map((path) => absolutePath(path, base));
  return paths.filter((_, at) => absolute.indexOf(absolute[at]!) === at);
}

/** The files of an input that is a patch, or has one. */
export function patchedFiles(rawInput: unknown, input: ToolInput = inputOf(rawInput)): PatchedFile[] {
  const texts = typeof rawInput === "string" ? [rawInput] : [];
  const found = [...Object.values(input), ...texts].find(
    (value): value is string => typeof value === "string" && value.includes("*** Begin Patch"),
  );
  return found === undefined ? [] : parsePatchText(found);
}

interface McpTool {
  readonly server: string;
  readonly tool: string;
}

/** `mcp__server__tool`, or a server's name in front: `server_tool`, `server__tool`, `mcp_server_tool`, `server-tool`. */
function mcpToolOf(name: string, servers: readonly string[]): McpTool | undefined {
  const [, server, tool = ""] = /^mcp__(.+?)(?:__(.+))?$/.exec(name) ?? [];
  if (server !== undefined) return { server, tool };
  const longestFirst = servers.toSorted((one, other) => other.length - one.length);
  for (const known of longestFirst) {
    const sanitized = known.replace(/[^A-Za-z0-9_-]/g, "_");
    for (const prefix of [known, sanitized].flatMap((it) => [it, `mcp_${it}`, `mcp__${it}`])) {
      const rest = name.startsWith(prefix) ? /^(?:__|[_\-./:])(.+)$/.exec(name.slice(prefix.length))?.[1] : undefined;
      if (rest !== undefined) return { server: known, tool: rest };
    }
  }
  return undefined;
}

function verbOf(name: string, input: ToolInput, kind: string | undefined, patched: readonly PatchedFile[]): ToolVerb {
  const named = verbOfEditor(name, input) ?? verbOfName(name);
  const told = verbOfKind(kind);
  const known = named && told ? moreDangerous(named, told) : (named ?? told);
  const verb = known && named ? known : moreDangerous(known ?? "nothing", verbOfShape(input, patched));
  return [...changesOf(input), ...patched].map(verbOfChange).reduce(moreDangerous, verb);
}

/** An editor is told by `command` what to do, which is no command line. */
function verbOfEditor(name: string, input: ToolInput): ToolVerb | undefined {
  if (verbOfName(name) !== "edit" || typeof input.command !== "string") return undefined;
  return input.command === "view" ? "read" : ["create", "write"].includes(input.command) ? "write" : "edit";
}

/** What a tool of an unknown name does, from what it is given. */
function verbOfShape(input: ToolInput, patched: readonly PatchedFile[]): ToolVerb {
  if (commandOf(input) !== undefined) return "run";
  if (patched.length > 0) return "edit";
  if (pathsOfInput(input).length > 0) {
    if (textOf(input, newTexts) !== undefined) return textOf(input, oldTexts) === undefined ? "write" : "edit";
  }
  return urlOf("fetch", input) === undefined ? "nothing" : "fetch";
}

export const oldTexts = ["old_string", "oldString", "old_text", "oldText", "old_str", "before", "old"];
export const newTexts = [
  "new_string",
  "newString",
  "new_text",
  "newText",
  "new_str",
  "after",
  "new",
  "content",
  "file_text",
];

interface ToldChange {
  readonly change: string;
  readonly path: string;
  readonly movedTo?: string | undefined;
}

/** Changes of several files as a list: `{ path, type, move_path? }`. */
function changesOf({ changes }: ToolInput): ToldChange[] {
  if (!Array.isArray(changes)) return [];
  return changes.flatMap((change: ToolInput | null) => {
    const path = textOf(change ?? {}, ["path"]);
    if (path === undefined) return [];
    return [{ path, change: textOf(change!, ["type"]) ?? "update", movedTo: textOf(change!, ["move_path"]) }];
  });
}

function verbOfChange({ change, movedTo }: Pick<ToldChange, "change" | "movedTo">): ToolVerb {
  if (change === "delete") return "delete";
  if (movedTo !== undefined) return "move";
  return change === "add" ? "write" : "edit";
}

function pathsTold(verb: ToolVerb, input: ToolInput, patched: readonly PatchedFile[]): string[] {
  const changed = [...changesOf(input), ...patched].flatMap(({ path, movedTo }) =>
    movedTo === undefined ? [path] : [path, movedTo],
  );
  const found = verb === "find" ? rootsOfPattern(input) : [];
  return [...changed, ...found, ...pathsOfInput(input, { withEnds: verb === "move" })];
}

/** Where files are looked for whose pattern says it itself. */
function rootsOfPattern(input: ToolInput): string[] {
  const pattern = textOf(input, ["pattern"]) ?? "";
  const root = /^((?:\/|~\/|\.\.\/)[^*?[{]*)/.exec(pattern)?.[1];
  return root === undefined ? [] : [root.replace(/(.)\/[^/]*$/, "$1")];
}

const shell = /(?:^|\/)(?:ba|z|da|k)?sh$/;

/** The command line; a list of words as a shell would take it, without the shell that only runs it. */
function commandOf(input: ToolInput): string | undefined {
  const command = input.command ?? input.cmd ?? input.script;
  if (typeof command === "string") return command;
  if (!Array.isArray(command) || command.length === 0) return undefined;
  const words = command.map(String);
  const [program = "", flag = "", script] = words;
  if (words.length === 3 && shell.test(program) && /^-l?c$/.test(flag)) return script;
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(" ");
}

function cwdOf(input: ToolInput, hints: PathBase): { cwd?: string } {
  const told = textOf(input, ["cwd", "workdir", "working_directory", "directory", "dir_path", "dir"]);
  const cwd = told === undefined ? hints.directory : absolutePath(told, hints);
  return cwd === undefined ? {} : { cwd };
}

function urlOf(verb: ToolVerb, input: ToolInput): string | undefined {
  if (verb !== "fetch") return undefined;
  const url = textOf(input, ["url", "uri"]) ?? (Array.isArray(input.urls) ? input.urls.find(isText) : undefined);
  return url ?? /https?:\/\/[^\s"'<>)]+/.exec(textOf(input, ["prompt"]) ?? "")?.[0];
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** Names that agents give to what a tool works on, best first. */
const telling = ["pattern", "query", "url", "description", "prompt"];

function subjectOf(input: ToolInput, paths: readonly string[]): string {
  const named = textOf(input, telling.slice(0, 2)) ?? paths[0] ?? textOf(input, telling.slice(2));
  const value = named || Object.values(input).find((other) => isText(other) && other !== "");
  return String(value ?? "").split("\n", 1)[0] ?? "";
}

interface Told {
  readonly name: string;
  readonly verb: ToolVerb;
  readonly mcp: McpTool | undefined;
  readonly command: string | undefined;
  readonly url: string | undefined;
  readonly subject: string;
  readonly told: readonly string[];
  readonly patched: readonly PatchedFile[];
  readonly hints: ToolCallHints;
  readonly input: ToolInput;
}

const fileVerbs: Readonly<Partial<Record<ToolVerb, string>>> = {
  write: "Write the file",
  edit: "Edit the file",
  delete: "Delete the file",
  read: "Read the file",
  list: "List the directory",
};

function titleOf({ name, verb, mcp, command, url, subject, told, patched, hints, input }: Told): string {
  if (mcp) return `Use ${mcp.tool ? `the tool ${mcp.tool}` : "a tool"} of the MCP server ${mcp.server}`;
  const changes = [...changesOf(input), ...patched];
  if (changes.length > 0) return changes.map(changeTitle).join(", ");
  if (command !== undefined) return `Run the command ${command}`;
  if (verb === "fetch" && url !== undefined) return `Fetch ${url}`;
  const query = textOf(input, ["query", "pattern"]);
  if (verb === "searchWeb" && query !== undefined) return `Search the web for ${query}`;
  if (verb === "search" && query !== undefined) return `Search for ${query}`;
  if (verb === "find" && query !== undefined) return `Find files ${query}`;
  if (verb === "move" && told.length >= 2) return `Move the file ${told[0]} to ${told[1]}`;
  const words = fileVerbs[verb];
  if (words !== undefined && told.length > 0) return `${words} ${told.join(", ")}`;
  if (hints.title) return hints.title;
  const description = textOf(input, ["description"]);
  return `Use ${name || "a tool"}${description ? `: ${description}` : subject === "" || verb === "nothing" ? "" : `: ${subject}`}`;
}

function changeTitle(change: ToldChange | PatchedFile): string {
  const { path, movedTo } = change;
  if (movedTo !== undefined) return `Move the file ${path} to ${movedTo}`;
  return `${fileVerbs[verbOfChange(change)] ?? "Edit the file"} ${path}`;
}
