import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SessionConfig } from "../../agent.ts";
import { askedTools } from "./launch.ts";

/** Settings are small; whatever is larger is none. */
const LARGEST_FILE_BYTES = 4 * 1024 * 1024;

/** Settings that name a command, which Claude Code runs by itself. */
const commandSettings = [
  "apiKeyHelper",
  "awsAuthRefresh",
  "awsCredentialExport",
  "fileSuggestion",
  "gcpAuthRefresh",
  "otelHeadersHelper",
  "proxyAuthHelper",
  "statusLine",
];

type Env = Readonly<Record<string, string>>;
type Fields = Readonly<Record<string, unknown>>;

/** How a process is kept from what settings files grant. */
export interface SettingsSources {
  /** For `--settings`, above the files of the user and of the directory. */
  readonly flag: Fields;
  /** For `--managed-settings`, which no file can overrule and which can only restrict. */
  readonly managed: Fields;
  /** Settings files of the directory are not read; its instructions (`CLAUDE.md`) still are. */
  readonly withoutDirectory: boolean;
  /** What the files of the directory ask for and do not get. */
  readonly ignored: readonly string[];
}

/**
 * What Claude Code may take from settings files. Files of a directory that the user did not trust in Claude Code grant
 * nothing: no rules, hooks, commands or MCP servers. While planning nobody's rules allow anything. What forbids or asks is
 * kept, whoever says it. `undefined` where everything may be taken.
 */
export function settingsSources(session: SessionConfig, env: Env): SettingsSources | undefined {
  const { directory, permissionMode, agentMode } = session;
  const planning = agentMode === "plan" || permissionMode === "plan";
  const trusted = isTrusted(directory, env);
  if (!planning && (trusted || permissionMode === "bypass")) return undefined;
  const user = readFields(join(env.CLAUDE_CONFIG_DIR ?? join(env.HOME ?? "/", ".claude"), "settings.json"));
  const project = ["settings.json", "settings.local.json"].map((name) => readFields(join(directory, ".claude", name)));
  const granting = trusted ? [user, ...project] : [user];
  const permissions = {
    allow: planning ? [] : rules(granting, "allow"),
    deny: rules([user, ...project], "deny"),
    ask: [...rules([user, ...project], "ask"), ...askedTools(session)],
  };
  const managed = { allowManagedPermissionRulesOnly: true, permissions };
  const sandbox = { autoAllowBashIfSandboxed: !planning && granting.some(allowsSandboxed) };
  if (trusted) return { flag: { sandbox }, managed, withoutDirectory: false, ignored: [] };

  const servers = serversOf(directory, user);
  const userHooks =
    session.hooks !== undefined || hasHooks(user) || Object.values(fieldsOf(user.enabledPlugins)).some(Boolean);
  const commands = project.flatMap((fields) => commandSettings.filter((name) => fields[name] !== undefined));
  return {
    flag: { sandbox, enableAllProjectMcpServers: false, disabledMcpjsonServers: servers },
    managed: { ...managed, allowManagedHooksOnly: !userHooks },
    withoutDirectory: commands.length > 0 || (userHooks && project.some(hasHooks)),
    ignored: [
      ...(rules(project, "allow").length > 0 ? ["permission rules"] : []),
      ...(project.some(hasHooks) ? ["hooks"] : []),
      ...commands,
      ...servers.map((name) => `the MCP server ${name}`),
    ],
  };
}

function rules(sources: readonly Fields[], kind: "allow" | "deny" | "ask"): unknown[] {
  return sources.flatMap(({ permissions }) => listOf(fieldsOf(permissions)[kind]));
}

function hasHooks({ hooks }: Fields): boolean {
  return Object.keys(fieldsOf(hooks)).length > 0;
}

/** Claude Code's own default is to allow what runs in its sandbox. */
function allowsSandboxed({ sandbox }: Fields): boolean {
  const { enabled, autoAllowBashIfSandboxed } = fieldsOf(sandbox);
  return enabled === true && autoAllowBashIfSandboxed !== false;
}

/** The servers that the directory, or one above it, would have started; what the user names is the user's. */
function serversOf(directory: string, user: Fields): string[] {
  if (user.enableAllProjectMcpServers === true) return [];
  const approved = listOf(user.enabledMcpjsonServers);
  const names = ancestors(directory).flatMap((folder) =>
    Object.keys(fieldsOf(readFields(join(folder, ".mcp.json")).mcpServers)),
  );
  return [...new Set(names)].filter((name) => !approved.includes(name));
}

function isTrusted(directory: string, env: Env): boolean {
  const projects = fieldsOf(readFields(join(env.CLAUDE_CONFIG_DIR ?? env.HOME ?? "/", ".claude.json")).projects);
  return ancestors(directory).some((folder) => fieldsOf(projects[folder]).hasTrustDialogAccepted === true);
}

function ancestors(directory: string): string[] {
  const above = dirname(directory);
  return above === directory ? [directory] : [directory, ...ancestors(above)];
}

/** Of a file that is none, or is not JSON, nothing. Opened so that a named pipe makes nobody wait. */
function readFields(path: string): Fields {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const found = fstatSync(file);
    if (!found.isFile() || found.size > LARGEST_FILE_BYTES) return {};
    return fieldsOf(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return {};
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}
