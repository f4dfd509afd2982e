import type { Environment } from "../data-dir.ts";

/** The variables in which agents look for the keys and places of their models. */
const wanted =
  /^(ANTHROPIC|OPENAI|CODEX|GEMINI|GOOGLE|AMP|OPENCODE|GOOSE|QWEN|DASHSCOPE|GITHUB_TOKEN|GH_TOKEN|COPILOT|CLAUDE)/;
const customAgents = "SANDBOX_AGENT_ACP_AGENTS";
const always = [
  customAgents,
  "LANG",
  "TZ",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "no_proxy",
];

/** What sandboxes are given of the runtime's own environment: what models need, the agents it was told of, and nothing else. */
export function agentEnvironment(env: Environment): Record<string, string> {
  const given = Object.entries(env).filter(([name]) => wanted.test(name) || always.includes(name));
  return Object.fromEntries(given.filter((entry): entry is [string, string] => entry[1] !== undefined));
}
