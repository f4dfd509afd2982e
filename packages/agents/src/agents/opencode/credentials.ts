import { homedir } from "node:os";
import { join } from "node:path";
import { readRegularText } from "../../files/read-regular-file.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** What the providers that OpenCode brings along look for, and what holds credentials for OpenCode itself. */
const keyVariables = [
  "ANTHROPIC_API_KEY",
  "OPENAI_API_KEY",
  "GEMINI_API_KEY",
  "GOOGLE_GENERATIVE_AI_API_KEY",
  "OPENROUTER_API_KEY",
  "GROQ_API_KEY",
  "MISTRAL_API_KEY",
  "XAI_API_KEY",
  "DEEPSEEK_API_KEY",
  "AWS_BEARER_TOKEN_BEDROCK",
  "AZURE_API_KEY",
  "OPENCODE_API_KEY",
  "OPENCODE_AUTH_CONTENT",
];

/** Signed in, a key in the environment, or a provider in the user's config. Whether a key is good only its service knows. */
export async function credentialsAvailable(env: Environment): Promise<boolean> {
  if (keyVariables.some((name) => env[name])) return true;
  const home = env.HOME || homedir();
  const data = join(env.XDG_DATA_HOME || join(home, ".local", "share"), "opencode");
  const config = join(env.XDG_CONFIG_HOME || join(home, ".config"), "opencode");
  const files = [env.OPENCODE_CONFIG, join(config, "opencode.json"), join(config, "opencode.jsonc")];
  const [login, ...configs] = await Promise.all([join(data, "auth.json"), ...files].map(textOf));
  return /"type"\s*:/.test(login ?? "") || [env.OPENCODE_CONFIG_CONTENT ?? "", ...configs].some(hasProvider);
}

function hasProvider(config: string): boolean {
  return /"provider"\s*:\s*\{\s*"/.test(config);
}

async function textOf(file: string | undefined): Promise<string> {
  return file === undefined ? "" : readRegularText(file).catch(() => "");
}
