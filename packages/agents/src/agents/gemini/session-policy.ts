import type { AcpPlace } from "../../acp/acp-agent.ts";
import { type OwnFile, ownFile } from "../../settings/own-file.ts";

const looking = [
  "glob",
  "grep_search",
  "list_directory",
  "read_file",
  "read_many_files",
  "google_web_search",
  "read_mcp_resource",
  "list_mcp_resources",
];
const inward = [
  "cli_help",
  "codebase_investigator",
  "get_internal_docs",
  "update_topic",
  "complete_task",
  "tracker_create_task",
  "tracker_update_task",
  "tracker_get_task",
  "tracker_list_tasks",
  "tracker_add_dependency",
  "tracker_visualize",
];

const refusal =
  "You are in Plan Mode and cannot change anything. Look around, write the plan to the plans directory as a .md file, and " +
  "propose it with exit_plan_mode.";

interface Rule {
  readonly tools: readonly string[];
  readonly decision: "allow" | "ask_user" | "deny";
  readonly priority: number;
  readonly modes?: readonly string[];
  /** A pattern for the arguments as JSON, in which a zero byte stands on each side of a field. */
  readonly argsPattern?: string;
  readonly more?: string;
}

/** While it plans its tools for files write only into its own folder for plans, whatever path they are given. */
const ofPlans = String.raw`\x00"file_path":"[^"]+\.md"\x00`;
const ofLookers = String.raw`\x00"agent_name":"(codebase_investigator|cli_help)"\x00`;

const planRules: readonly Rule[] = [
  { tools: ["*"], decision: "deny", priority: 900, more: `denyMessage = ${JSON.stringify(refusal)}` },
  { tools: [...looking, ...inward], decision: "allow", priority: 910 },
  { tools: ["exit_plan_mode", "web_fetch", "activate_skill"], decision: "ask_user", priority: 910 },
  {
    tools: ["*"],
    decision: "ask_user",
    priority: 910,
    more: 'mcpName = "*"\ntoolAnnotations = { readOnlyHint = true }',
  },
  { tools: ["invoke_agent"], decision: "allow", priority: 910, argsPattern: ofLookers },
  { tools: ["write_file", "replace"], decision: "allow", priority: 910, argsPattern: ofPlans },
].map((rule) => ({ ...rule, modes: ["plan"] }) as Rule);

const asksToRead: Rule = { tools: looking, decision: "ask_user", priority: 950 };

/** Where it is needed: an administrator's rules that the user has in the settings are not taken then. */
export function policyArgs(place: AcpPlace): readonly string[] {
  const { asksEverything, permissionMode, agentMode } = place.session;
  const isNeeded = asksEverything || permissionMode === "plan" || agentMode === "plan";
  return isNeeded ? ["--admin-policy", sessionPolicy(place).path] : [];
}

/**
 * Rules that go before those of the user: while Gemini CLI plans it does what its own rules for that mode allow and nothing
 * else, whatever the user lets it do otherwise; in a session with a policy it asks also before it reads.
 */
export function sessionPolicy({ host, session }: AcpPlace): OwnFile {
  const rules = session.asksEverything ? [asksToRead, ...planRules] : planRules;
  return ownFile(host.dataDir, "session-policy.toml", rules.map(ruleText).join("\n"));
}

function ruleText({ tools, decision, priority, modes, argsPattern, more }: Rule): string {
  return [
    "[[rule]]",
    `toolName = ${JSON.stringify(tools.length === 1 ? tools[0] : tools)}`,
    ...(more === undefined ? [] : [more]),
    ...(argsPattern === undefined ? [] : [`argsPattern = ${JSON.stringify(argsPattern)}`]),
    `decision = "${decision}"`,
    `priority = ${priority}`,
    ...(modes === undefined ? [] : [`modes = ${JSON.stringify(modes)}`]),
    "",
  ].join("\n");
}
