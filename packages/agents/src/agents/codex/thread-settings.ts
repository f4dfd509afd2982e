import type { PermissionMode } from "@sandbox-agent-ts/protocol";
import type { SessionConfig } from "../../agent.ts";
import { nativeHooks } from "../../hooks/native-hooks.ts";
import { sessionMarkVariable } from "../../process/session-processes.ts";
import { mcpServers } from "./mcp-servers.ts";

/** What a mode lets the agent do. Who asks is Codex, who answers without asking a person is `decidedByMode`. */
const policies = {
  /** Everything is asked. Its own sandbox is off: it does not work in every container, and what runs was allowed. */
  default: { approvalPolicy: "untrusted", sandbox: "danger-full-access" },
  acceptEdits: { approvalPolicy: "untrusted", sandbox: "danger-full-access" },
  plan: { approvalPolicy: "on-request", sandbox: "read-only" },
  bypass: { approvalPolicy: "never", sandbox: "danger-full-access" },
} as const satisfies Record<PermissionMode, object>;

const sandboxPolicies = {
  "danger-full-access": { type: "dangerFullAccess" },
  "read-only": { type: "readOnly", networkAccess: false },
} as const;

/** As Codex calls the events at which hooks run. */
const hookNames = {
  sessionStart: "SessionStart",
  userPrompt: "UserPromptSubmit",
  beforeTool: "PreToolUse",
  afterTool: "PostToolUse",
  turnEnd: "Stop",
  sessionEnd: "SessionEnd",
} as const;

/** What reaches for the network unasked, goes on by itself or never gives up is off; the list of things to do is on. */
const features = {
  "features.plugins": false,
  "features.goals": false,
  "features.unbounded_connection_retries": false,
  "tools.update_plan.enabled": true,
};

/**
 * For `thread/start` and `thread/resume`. Each turn says what it may do; a thread that begins with more than `read-only`
 * makes Codex trust the directory for ever, with the rules and servers that its files name.
 */
export function threadParams(
  session: SessionConfig,
  instructions: string | undefined,
  mark?: string,
  roles: object = {},
): object {
  return {
    ...policies.plan,
    cwd: session.directory,
    ...(session.model === undefined ? {} : { model: session.model }),
    ...(instructions === undefined ? {} : { developerInstructions: instructions }),
    config: {
      ...features,
      ...markedCommands(mark),
      ...mcpServers(session.mcp ?? {}, session.asksEverything),
      ...hooksOf(session),
      ...roles,
    },
  };
}

/** For `thread/start` of a thread in which nothing is to happen. */
export function quietParams(config: object): object {
  return { ...policies.plan, config: { ...features, ...config } };
}

export function hooksOf({ hooks }: SessionConfig): object {
  const native = Object.entries(nativeHooks(hooks, hookNames, 1000)).map(([name, list]) => [`hooks.${name}`, list]);
  return Object.fromEntries(native);
}

/** By which the commands of this conversation are told from those of others. */
function markedCommands(mark: string | undefined): Record<string, string> {
  return mark === undefined ? {} : { [`shell_environment_policy.set.${sessionMarkVariable}`]: mark };
}

/** For `turn/start`. What a turn says holds from then on, so each says everything: a thread may have been in use before. */
export function turnParams(session: SessionConfig, permissionMode: PermissionMode, model: string, planning: boolean) {
  const { approvalPolicy, sandbox } = policies[permissionMode];
  const effort = session.variant ?? null;
  const settings = { model, reasoning_effort: effort, developer_instructions: null };
  return {
    cwd: session.directory,
    approvalPolicy,
    sandboxPolicy: sandboxPolicies[sandbox],
    model,
    ...(effort === null ? {} : { effort }),
    collaborationMode: { mode: planning ? "plan" : "default", settings },
  };
}
