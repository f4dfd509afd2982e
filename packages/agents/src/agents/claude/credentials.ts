import { access } from "node:fs/promises";
import { join } from "node:path";
import { readRegularText } from "../../files/read-regular-file.ts";

/** Any of these is a key, a token, or the choice of a service that has its own. */
const variables = [
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "CLAUDE_CODE_OAUTH_TOKEN",
  "CLAUDE_CODE_USE_BEDROCK",
  "CLAUDE_CODE_USE_VERTEX",
  "CLAUDE_CODE_USE_FOUNDRY",
];

type Environment = Readonly<Record<string, string>>;

/** Whether Claude Code has something to sign in with. Looks whether it is there, never what it is. */
export async function hasCredentials(env: Environment, platform: string = process.platform): Promise<boolean> {
  if (variables.some((name) => env[name])) return true;
  const home = env.CLAUDE_CONFIG_DIR ?? env.HOME;
  const configDir = env.CLAUDE_CONFIG_DIR ?? (env.HOME && join(env.HOME, ".claude"));
  if (!home || !configDir) return false;
  // On a Mac the keychain has the token, and the file says whose it is.
  const account = platform === "darwin" ? ["oauthAccount"] : [];
  const found = await Promise.all([
    exists(join(configDir, ".credentials.json")),
    names(join(home, ".claude.json"), ["primaryApiKey", ...account]),
    names(join(configDir, "settings.json"), ["apiKeyHelper", ...variables]),
  ]);
  return found.some(Boolean);
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** The file has one of the fields with something in it. */
async function names(file: string, fields: readonly string[]): Promise<boolean> {
  const text = await readRegularText(file).catch(() => "");
  return new RegExp(`"(?:${fields.join("|")})"\\s*:\\s*(?:"[^"]|\\{\\s*")`).test(text);
}
