import { type ProfileSubagent, SandboxError } from "@sandbox-agent-ts/protocol";
import { askingSubagents } from "../permission-rules.ts";

/**
 * OpenCode does not hand a session's rules on to its subagents. These ask for everything that does more than look, and
 * the rules of the session then decide for them; `explore` may do little else to begin with.
 */
const subagentRules: Readonly<Record<(typeof askingSubagents)[number], object>> = {
  general: {
    "*": "ask",
    ...Object.fromEntries(["read", "grep", "glob", "list", "skill", "lsp"].map((name) => [name, "allow"])),
    todowrite: "deny",
    task: "deny",
  },
  explore: { bash: "ask", webfetch: "ask", websearch: "ask" },
};

interface Config {
  readonly experimental?: object;
  readonly agent?: Readonly<Record<string, { readonly permission?: unknown } | undefined>>;
}

/**
 * What we add to the config that the user gives in the environment; whatever is in there, or in the user's files, stays.
 * Without `continue_loop_on_deny` the first rejection of a person would end the turn.
 */
export function serverConfig(userConfig: string | undefined): string {
  const config = readConfig(userConfig || "{}");
  const agents = askingSubagents.map((name) => {
    const own = config.agent?.[name];
    return [name, { ...own, permission: { ...subagentRules[name], ...objectOf(own?.permission) } }];
  });
  return JSON.stringify({
    ...config,
    experimental: { ...config.experimental, continue_loop_on_deny: true },
    agent: { ...config.agent, ...Object.fromEntries(agents) },
  });
}

/** The user's config with the subagents of a session, which ask as `general` does. */
export function withSubagents(
  userConfig: string | undefined,
  subagents: Readonly<Record<string, ProfileSubagent>>,
): string {
  const config = readConfig(userConfig || "{}");
  const agents = Object.entries(subagents).map(([name, { description, prompt, model }]) => {
    const permission = subagentRules.general;
    return [name, { mode: "subagent", description, prompt, permission, ...(model ? { model } : {}) }];
  });
  return JSON.stringify({ ...config, agent: { ...config.agent, ...Object.fromEntries(agents) } });
}

function readConfig(text: string): Config {
  try {
    return objectOf(JSON.parse(text));
  } catch (cause) {
    const message = "OPENCODE_CONFIG_CONTENT is not JSON. Correct it, without comments, or put the config into a file.";
    throw new SandboxError("invalid_request", message, { agent: "opencode", cause });
  }
}

function objectOf(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}
