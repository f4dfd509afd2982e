import type { PermissionMode } from "@sandbox-agent-ts/protocol";
import type { NativeAgent, PermissionRule } from "./dialect.ts";

type Action = PermissionRule["action"];

/** What only looks, asks or plans. */
const harmless = ["read", "grep", "glob", "list", "todowrite", "todoread", "question", "skill", "lsp"];
/** What only looks at files: asked about too where a policy decides. */
const looking = ["read", "grep", "glob", "list"];
/** What may be allowed while planning, by whomever: it changes nothing, or says only where something may be read. */
const allowedInPlans = new Set([...harmless, "external_directory", "plan_exit"]);
/** What is allowed to everybody in OpenCode gives way to the session's mode. */
const decidedByMode = new Set(["*", "bash", "edit", "webfetch", "websearch", "codesearch", "external_directory"]);
/** The subagents whose own rules we set to ask; any other one brings its own, so a person is asked before it starts. */
export const askingSubagents = ["general", "explore"] as const;

/**
 * The rules of one session. They come after those of its agent (`agentRules`: OpenCode's own and what the user's config
 * says), so they say everything: what the mode means, and then again what was allowed, denied or to be asked in particular.
 */
export function sessionRules(
  mode: PermissionMode,
  agentRules: readonly PermissionRule[],
  mcpServers: readonly string[] = [],
  { readable = [], asksEverything = false }: { readable?: readonly string[]; asksEverything?: boolean } = {},
): PermissionRule[] {
  const otherwise: Action = mode === "bypass" ? "allow" : "ask";
  return [
    rule("*", otherwise),
    ...mcpServers.map((name) => rule(toolsOf(name), otherwise)),
    ...(mode === "bypass" ? unaskingRules(agentRules) : askingRules(mode, agentRules, asksEverything)),
    ...readable.map((folder) => rule("external_directory", "allow", `${folder}/*`)),
  ];
}

function unaskingRules(agentRules: readonly PermissionRule[]): PermissionRule[] {
  return agentRules.filter(({ permission, action }) => action === "deny" || (action === "allow" && permission !== "*"));
}

function askingRules(
  mode: PermissionMode,
  agentRules: readonly PermissionRule[],
  asksEverything: boolean,
): PermissionRule[] {
  const decided = new Set([...decidedByMode, ...(asksEverything ? looking : [])]);
  const isBlanketAllow = ({ permission, pattern, action }: PermissionRule) =>
    action === "allow" && pattern === "*" && decided.has(permission);
  return [
    ...harmless.filter((name) => !decided.has(name)).map((permission) => rule(permission, "allow")),
    ...askingSubagents.map((name) => rule("task", "allow", name)),
    ...(mode === "acceptEdits" ? [rule("edit", "allow")] : []),
    ...agentRules.filter((own) => !isBlanketAllow(own) && (mode !== "plan" || holdsInPlans(own))),
    ...(mode === "plan" ? [rule("edit", "deny"), ...agentRules.filter(isPlanFile)] : []),
  ];
}

/** While planning, what anybody forbids or wants to be asked holds; what anybody allows does not, unless it only looks. */
function holdsInPlans({ permission, action }: PermissionRule): boolean {
  return action !== "allow" || allowedInPlans.has(permission);
}

/** For the rules of a plan: a subagent that the user's config lets do more than look is asked about before it starts. */
export function askedSubagents(planRules: readonly PermissionRule[], agents: readonly NativeAgent[]): PermissionRule[] {
  const startsUnasked = (name: string) => decide(planRules, { permission: "task", patterns: [name] }) === "allow";
  const acting = agents.filter(({ name = "", permission = [] }) => startsUnasked(name) && mayAct(permission));
  return acting.map(({ name = "" }) => rule("task", "ask", name));
}

function mayAct(rules: readonly PermissionRule[]): boolean {
  const isTakenBack = ({ permission }: PermissionRule, later: readonly PermissionRule[]) =>
    later.some(
      (other) => other.action !== "allow" && other.pattern === "*" && ["*", permission].includes(other.permission),
    );
  return rules.some((own, at) => !holdsInPlans(own) && !isTakenBack(own, rules.slice(at + 1)));
}

/** Edits pass in `acceptEdits`; whether they are in the directory OpenCode does not see through links, so it asks us. */
export function acceptsEdits(rules: readonly PermissionRule[]): boolean {
  return rules[0]?.action === "ask" && rules.some(isAcceptedEdit);
}

/**
 * As OpenCode is told them. What the mode alone decides about edits is asked of us: OpenCode keeps to the rules with which
 * a turn began, also when a plan is approved in the middle of it.
 */
export function toldRules(rules: readonly PermissionRule[], isPlanning = false): readonly PermissionRule[] {
  const isAsked = isPlanning ? isDeniedEdit : acceptsEdits(rules) ? isAcceptedEdit : () => false;
  return rules.map((own) => (isAsked(own) ? rule("edit", "ask") : own));
}

function isDeniedEdit({ permission, pattern, action }: PermissionRule): boolean {
  return permission === "edit" && pattern === "*" && action === "deny";
}

function isAcceptedEdit({ permission, pattern, action }: PermissionRule): boolean {
  return permission === "edit" && pattern === "*" && action === "allow";
}

function isPlanFile({ permission, pattern, action }: PermissionRule): boolean {
  return permission === "edit" && action === "allow" && /opencode[\\/]plans[\\/]\*\.md$/.test(pattern);
}

function rule(permission: string, action: Action, pattern = "*"): PermissionRule {
  return { permission, pattern, action };
}

/** How OpenCode names the tools of an MCP server. */
function toolsOf(server: string): string {
  return `${server.replaceAll(/[^A-Za-z0-9_-]/g, "_")}_*`;
}

/** Subagents' sessions do not have these rules, only some of them: what they ask is held against all of them here. */
export function decide(
  rules: readonly PermissionRule[],
  { permission = "", patterns = [] }: { permission?: string; patterns?: readonly string[] },
): Action {
  const actions = patterns.map((pattern) => {
    const last = rules.findLast((own) => matches(permission, own.permission) && matches(pattern, own.pattern));
    return last?.action ?? "ask";
  });
  if (actions.includes("deny")) return "deny";
  return actions.length > 0 && actions.every((action) => action === "allow") ? "allow" : "ask";
}

/** `ls *` means `ls` too. */
function matches(text: string, pattern: string): boolean {
  const escaped = pattern.replaceAll(/[.+^${}()|[\]\\]/g, "\\$&");
  const source = escaped
    .replaceAll("*", ".*")
    .replaceAll("?", ".")
    .replace(/ \.\*$/, "( .*)?");
  return new RegExp(`^${source}$`, "s").test(text);
}
