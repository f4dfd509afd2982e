import type { PolicyRule } from "@sandbox-agent-ts/protocol";
import type { PathBase } from "./path-forms.ts";
import { pathGlobs } from "./path-globs.ts";
import type { RequestPart } from "./request-parts.ts";
import { programName, type ShellCommand } from "./shell-line.ts";
import { fitsWildcard } from "./wildcard.ts";

export type Fit = "yes" | "maybe" | "no";

/**
 * Whether each thing that the rule names fits. What is not known fits no rule that allows, and may fit one that does not;
 * for those a part also fits if any way to read it does.
 */
export function fitsRule(rule: PolicyRule, part: RequestPart, base: PathBase): Fit {
  const isStrict = rule.action === "allow";
  return allOf(
    () => fitsKind(listOf(rule.kind), part),
    () => fitsName(listOf(rule.tools), part.tool, isStrict),
    () => fitsServer(listOf(rule.mcpServers), part, isStrict),
    () => fitsCommand(listOf(rule.commands), part, isStrict),
    () => fitsPath(rule, part, base),
  );
}

export function listOf<T>(value: T | readonly T[] | null | undefined): readonly T[] | undefined {
  if (value === null || value === undefined) return undefined;
  return Array.isArray(value) ? (value as readonly T[]) : [value as T];
}

function allOf(...conditions: readonly (() => Fit)[]): Fit {
  let fit: Fit = "yes";
  for (const condition of conditions) {
    const one = condition();
    if (one === "no") return "no";
    if (one === "maybe") fit = "maybe";
  }
  return fit;
}

const yesOrNo = (fits: boolean): Fit => (fits ? "yes" : "no");

function fitsKind(kinds: readonly unknown[] | undefined, { kind, path, mentions }: RequestPart): Fit {
  if (!kinds) return "yes";
  if (kind === undefined) return "maybe";
  if (kinds.includes(kind)) return "yes";
  // A command may do anything with the files it names: what that is worth is up to the paths of the rule.
  const isAboutFiles = kinds.some((one) => one === "read" || one === "edit" || one === "delete" || one === "move");
  return path === undefined && mentions !== undefined && isAboutFiles ? "maybe" : "no";
}

function fitsName(patterns: readonly string[] | undefined, name: string | undefined, isStrict: boolean): Fit {
  if (!patterns) return "yes";
  if (name === undefined) return "maybe";
  return yesOrNo(patterns.some((pattern) => fitsText(pattern, name, isStrict)));
}

function fitsServer(patterns: readonly string[] | undefined, part: RequestPart, isStrict: boolean): Fit {
  if (patterns && part.kind !== undefined && part.kind !== "mcp") return "no";
  return fitsName(patterns, part.mcpServer, isStrict);
}

function fitsText(pattern: string, text: string, isStrict: boolean): boolean {
  if (isStrict) return fitsWildcard(pattern, text);
  return fitsWildcard(pattern.toLowerCase(), text.toLowerCase());
}

function fitsCommand(patterns: readonly string[] | undefined, { kind, command }: RequestPart, isStrict: boolean): Fit {
  if (!patterns) return "yes";
  if (kind !== "execute") return kind === undefined ? "maybe" : "no";
  if (command === undefined || command === "unknown") return "maybe";
  if (isStrict) return yesOrNo(command.isPlain && patterns.some((pattern) => isCommand(pattern, command.words, true)));
  const readings = readingsOf(command);
  if (patterns.some((pattern) => readings.some((words) => isCommand(pattern, words, false)))) return "yes";
  return patterns.some((pattern) => mayBeCommand(pattern, command, readings)) ? "maybe" : "no";
}

/** A star as the last word of a pattern stands for no word too: `git status *` is `git status`. */
function isCommand(pattern: string, words: readonly string[], isStrict: boolean): boolean {
  const text = words.join(" ");
  return (
    fitsText(pattern, text, isStrict) || (pattern.endsWith(" *") && fitsText(pattern.slice(0, -2), text, isStrict))
  );
}

/** The words of a command and of those it may run, each also without the directory of its program. */
function readingsOf({ words, isWrapper }: ShellCommand): readonly (readonly string[])[] {
  const first = words.findIndex((word) => !/^\w+\+?=/.test(word));
  const start = first === -1 ? 0 : first;
  const starts = isWrapper ? words.map((_, index) => index).slice(start) : [start];
  const commands = [words, ...starts.map((index) => words.slice(index))];
  return commands.flatMap((command) => [command, [programName(command[0] ?? ""), ...command.slice(1)]]);
}

/** Something in it is only known to the shell, or the words of the pattern are there with others between them. */
function mayBeCommand(pattern: string, { knownHead }: ShellCommand, readings: readonly (readonly string[])[]): boolean {
  const wanted = pattern.toLowerCase();
  const [fixed = ""] = wanted.split("*", 1);
  if (knownHead !== undefined) {
    const heads = [knownHead, ...readingsOfHead(knownHead)].map((head) => head.toLowerCase());
    if (heads.some((head) => fixed.startsWith(head) || head.startsWith(fixed))) return true;
  }
  return readings.some((words) => hasInOrder(wanted.split(/\s+/), words));
}

function readingsOfHead(head: string): readonly string[] {
  const words = head.split(" ");
  return words.map((word, index) => [programName(word), ...words.slice(index + 1)].join(" "));
}

function hasInOrder([name = "", ...others]: readonly string[], words: readonly string[]): boolean {
  if (words[0] === undefined || !fitsText(name, words[0], false)) return false;
  let at = 1;
  for (const pattern of others.filter((other) => other !== "*")) {
    const found = words.findIndex((word, index) => index >= at && fitsText(pattern, word, false));
    if (found === -1) return false;
    at = found + 1;
  }
  return others.length > 0;
}

function fitsPath(rule: PolicyRule, part: RequestPart, base: PathBase): Fit {
  const patterns = listOf(rule.paths);
  if (!patterns) return part.kind !== undefined && fitsKind(listOf(rule.kind), part) === "maybe" ? "no" : "yes";
  const globs = pathGlobs(patterns, base);
  const { path, mentions } = part;
  if (path === undefined) {
    if (rule.action === "allow") return "no";
    const isMentioned = !globs.hasExclusions && mentions?.some((forms) => forms.some(globs.mayFit));
    if (isMentioned) return "maybe";
    return part.kind === "execute" && listOf(rule.kind)?.includes("execute") && !mentions ? "maybe" : "no";
  }
  if (path.length === 0) return "maybe";
  if (rule.action === "allow") return yesOrNo(path.every(globs.fits));
  if (path.some(globs.mayFit) || path.some(globs.fits)) return "yes";
  const takesItsContent = (part.kind === "delete" || part.kind === "move") && part.isDirectory;
  return takesItsContent && path.some(globs.mayFitBelow) ? "maybe" : "no";
}
