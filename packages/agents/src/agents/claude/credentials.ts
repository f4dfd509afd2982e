import { access } from "node:fs/promises";
import { join } from "node:path";

/** Any of these is a key, a token, or the choice of a service that has its own. */
const variables = [
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "CLAUDE_CODE_OAUTH_TOKEN",
  "CLAUDE_CODE_USE_BEDROCK",
  "CLAUDE_CODE_USE_VERTEX",
  "CLAUDE_CODE_USE_FOUNDRY",
];

/** Whether Claude Code has something to sign in with. Looks whether it is there, never what it is. */
export async function hasCredentials(env: Readonly<Record<string, string>>): Promise<boolean> {
  if (variables.some((name) => env[name])) return true;
  const configDir = env.CLAUDE_CONFIG_DIR ?? (env.HOME ? join(env.HOME, ".claude") : undefined);
  if (configDir === undefined) return false;
  return access(join(configDir, ".credentials.json")).then(
    () => true,
    () => false,
  );
}
