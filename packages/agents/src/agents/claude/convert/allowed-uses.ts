import type { PermissionRule, ToolAsk } from "../dialect.ts";
import type { ClaudeState } from "./claude-state.ts";

/** The same tool with the same input. */
export function useKey(ask: Partial<ToolAsk>): string {
  return JSON.stringify([ask.tool_name, ask.input]);
}

/**
 * Whether a person allowed it for always: this very use, or by a rule that Claude Code offered. Rules are kept here and
 * not given to Claude Code, which would let uses pass without a word. They cover no more than it would let pass itself.
 */
export function isAllowedAlways({ allowedUses, allowedRules }: ClaudeState, ask: Partial<ToolAsk>): boolean {
  return allowedUses.has(useKey(ask)) || allowedRules.some((rule) => covers(rule, ask));
}

/** What makes several commands, or another one, of a command line. */
const shellSigns = /[;&|<>$`()\n\r\\]/;

function covers({ toolName, ruleContent }: PermissionRule, { tool_name, input = {} }: Partial<ToolAsk>): boolean {
  if (toolName !== tool_name) return false;
  if (ruleContent === undefined) return true;
  const { command, url } = input;
  if (typeof command === "string") return coversCommand(ruleContent, command.trim());
  return typeof url === "string" && ruleContent === `domain:${hostOf(url)}`;
}

/** `touch a *` and, as older versions spell it, `touch a:*` is the command with or without more words. */
function coversCommand(rule: string, command: string): boolean {
  const prefix = /^(.+?)(?: \*|:\*)$/.exec(rule)?.[1];
  if (prefix === undefined || prefix.includes("*")) return rule === command;
  return command === prefix || (command.startsWith(`${prefix} `) && !shellSigns.test(command));
}

function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}
