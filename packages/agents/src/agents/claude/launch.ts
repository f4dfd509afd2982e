import { type PermissionMode, SandboxError, type SessionChanges } from "@sandbox-agent-ts/protocol";
import type { SessionConfig } from "../../agent.ts";
import { nativeHooks } from "../../hooks/native-hooks.ts";
import type { SettingsSources } from "./settings-sources.ts";

/** Overloads and lost connections are tried again for about half a minute, not for many. */
const MAX_RETRIES = "6";

/** What a process of a Claude Code that runs us would hand down, and what would make ours believe to be part of it. */
const parentVariables = ["CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT", "CLAUDE_CODE_SESSION_ID"];

/** With its classifier, plan mode refuses every command where it cannot reach a server of its own; without, it asks. */
const settings = { useAutoModeDuringPlan: false };

/** The system takes no argument of more than 128 KiB. */
const MAX_SUBAGENTS_LENGTH = 100_000;

/** As Claude Code calls the events at which hooks run. */
const hookNames = {
  sessionStart: "SessionStart",
  userPrompt: "UserPromptSubmit",
  beforeTool: "PreToolUse",
  afterTool: "PostToolUse",
  turnEnd: "Stop",
  sessionEnd: "SessionEnd",
} as const;

export const streamArgs: readonly string[] = [
  "--print",
  "--verbose",
  "--input-format",
  "stream-json",
  "--output-format",
  "stream-json",
  "--include-partial-messages",
  "--permission-prompt-tool",
  "stdio",
  "--replay-user-messages",
  "--forward-subagent-text",
];

export interface LaunchOptions {
  readonly session: SessionConfig;
  /** The conversation to go on with, or to begin under this very id. */
  readonly conversation?: { readonly id: string; readonly isNew: boolean };
  /** As Claude Code calls it, where it is no more the one the session began with. */
  readonly permissionMode: string | null;
  /** What is taken from settings files; absent: everything. */
  readonly sources?: SettingsSources | undefined;
  readonly mcpFile?: string;
  readonly pluginDir?: string;
}

export function launchArgs(options: LaunchOptions): string[] {
  const { session, conversation, sources, mcpFile, pluginDir } = options;
  const asked = session.asksEverything ? { permissions: { ask: askedTools(session) } } : {};
  return [
    ...streamArgs,
    "--permission-mode",
    options.permissionMode ?? firstPermissionMode(session),
    ...(session.permissionMode === "bypass" ? ["--allow-dangerously-skip-permissions"] : []),
    ...(conversation ? [conversation.isNew ? "--session-id" : "--resume", conversation.id] : []),
    ...flag("--settings", JSON.stringify({ ...settings, ...hooksOf(session), ...asked, ...sources?.flag })),
    ...flag("--managed-settings", sources && JSON.stringify(sources.managed)),
    // Instructions are read of every directory that is added.
    ...(sources?.withoutDirectory ? ["--setting-sources", "user", "--add-dir", session.directory] : []),
    ...flag("--model", session.usesOwnModel ? "default" : session.model),
    ...flag("--effort", session.variant),
    ...flag("--append-system-prompt", session.systemPrompt),
    ...flag("--agents", subagentsOf(session)),
    ...flag("--mcp-config", mcpFile),
    ...flag("--plugin-dir", pluginDir),
  ];
}

export function launchEnv(
  env: Readonly<Record<string, string>>,
  session: Pick<SessionConfig, "env" | "permissionMode">,
  sources?: SettingsSources,
): Record<string, string> {
  const inherited = Object.fromEntries(Object.entries(env).filter(([name]) => !parentVariables.includes(name)));
  return {
    CLAUDE_CODE_MAX_RETRIES: MAX_RETRIES,
    DISABLE_AUTOUPDATER: "1",
    // What the agent has still to do is worth seeing; without this it keeps no list.
    CLAUDE_CODE_ENABLE_TODO_TOOLS: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    ...inherited,
    ...session.env,
    CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: "1",
    ...(sources?.withoutDirectory ? { CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD: "1" } : {}),
    // Root may let everything pass only where this says that it is a sandbox, which it is.
    ...(session.permissionMode === "bypass" ? { IS_SANDBOX: "1" } : {}),
  };
}

export const nativePermissionModes = {
  default: "default",
  plan: "plan",
  acceptEdits: "acceptEdits",
  bypass: "bypassPermissions",
} as const;

/** The settings of the session that go with a mode of Claude Code; none for a mode that we do not have. */
export function changesOfMode(
  native: string,
  { agentMode }: Pick<SessionConfig, "agentMode">,
): SessionChanges | undefined {
  const mode = (Object.keys(nativePermissionModes) as PermissionMode[]).find(
    (name) => nativePermissionModes[name] === native,
  );
  if (mode === undefined) return undefined;
  return { permission_mode: mode, ...(agentMode === "plan" && mode !== "plan" ? { agent_mode: "build" } : {}) };
}

/** As Claude Code calls it. */
function firstPermissionMode({
  agentMode,
  permissionMode,
}: Pick<SessionConfig, "agentMode" | "permissionMode">): string {
  return agentMode === "plan" ? "plan" : nativePermissionModes[permissionMode];
}

function hooksOf({ hooks }: SessionConfig): object {
  return hooks ? { hooks: nativeHooks(hooks, hookNames, 1000) } : {};
}

function subagentsOf({ subagents }: SessionConfig): string | undefined {
  if (!subagents) return undefined;
  const agents = Object.entries(subagents).map(([name, { description, prompt, tools, model }]) => {
    return [name, { description, prompt, ...(tools ? { tools } : {}), ...(model ? { model } : {}) }];
  });
  const text = JSON.stringify(Object.fromEntries(agents));
  if (Buffer.byteLength(text) <= MAX_SUBAGENTS_LENGTH) return text;
  const sentence = `Claude Code takes subagents of at most ${MAX_SUBAGENTS_LENGTH} bytes together. Shorten their prompts.`;
  throw new SandboxError("invalid_request", sentence, { agent: "claude" });
}

function flag(name: string, value: string | undefined): string[] {
  return value === undefined || value === "" ? [] : [name, value];
}

/** What Claude Code does by itself unless it is told to ask: look at files, and run commands that it takes for harmless. */
export function askedTools({ asksEverything }: Pick<SessionConfig, "asksEverything">): readonly string[] {
  return asksEverything ? ["Read", "Grep", "Glob", "Bash"] : [];
}
