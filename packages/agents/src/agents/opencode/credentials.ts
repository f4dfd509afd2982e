import { join } from "node:path";
import type { AgentCredentials, Finding } from "../../credentials/agent-credentials.ts";
import type { CredentialPlace, Environment } from "../../credentials/credential-place.ts";
import { timeOf } from "../../credentials/expiry.ts";
import { inFile, inVariable, textOf } from "../../credentials/findings.ts";
import { isSettings, parseSettings, type Settings, settingsIn } from "../../settings/json-settings.ts";
import { providerVariable } from "./provider-variables.ts";

/** What the providers that OpenCode brings along look for, by variable. */
const providers = {
  ANTHROPIC_API_KEY: "anthropic",
  OPENAI_API_KEY: "openai",
  GEMINI_API_KEY: "google",
  GOOGLE_GENERATIVE_AI_API_KEY: "google",
  OPENROUTER_API_KEY: "openrouter",
  GROQ_API_KEY: "groq",
  MISTRAL_API_KEY: "mistral",
  XAI_API_KEY: "xai",
  DEEPSEEK_API_KEY: "deepseek",
  AWS_BEARER_TOKEN_BEDROCK: "amazon-bedrock",
  AZURE_API_KEY: "azure",
  OPENCODE_API_KEY: "opencode",
};

/** Whether a key is good only its service knows. */
export const credentials: AgentCredentials = {
  async find(place) {
    const { env } = place;
    const given = settingsOf(env.OPENCODE_AUTH_CONTENT);
    const file = join(dataHome(place), "opencode", "auth.json");
    const [login, source] = given ? [given, "env OPENCODE_AUTH_CONTENT"] : [await place.json(file), file];
    const configs = await readConfigs(place);
    return [
      ...Object.entries(providers).map(([name, provider]) => inVariable(env, name, { provider, kind: "api-key" })),
      ...Object.entries(login).map(([provider, entry]) => inLogin(provider, isSettings(entry) ? entry : {}, source)),
      ...configs.flatMap(([path, config]) => inConfig(config, path, env)),
    ];
  },
  wants: async () => [{ name: "ANTHROPIC_API_KEY" }, { name: "OPENAI_API_KEY" }],
};

const dataHome = ({ env, home }: CredentialPlace): string => env.XDG_DATA_HOME || join(home, ".local", "share");

function inLogin(provider: string, entry: Settings, source: string): Finding | undefined {
  if (entry.type === "api") {
    const variable = providerVariable(provider);
    return inFile(source, entry.key, { provider, kind: "api-key", ...(variable === undefined ? {} : { variable }) });
  }
  if (entry.type === "wellknown") {
    const variable = textOf(entry.key);
    return inFile(source, entry.token, { provider, kind: "oauth", ...(variable === undefined ? {} : { variable }) });
  }
  const isRefreshable = textOf(entry.refresh) !== undefined;
  const account = textOf(entry.accountId);
  return inFile(source, textOf(entry.access) ?? entry.refresh, {
    provider,
    kind: "oauth",
    ...timeOf(entry.expires),
    refreshable: isRefreshable,
    ...(account === undefined ? {} : { account }),
  });
}

async function readConfigs(place: CredentialPlace): Promise<[path: string, config: Settings][]> {
  const { env, home } = place;
  const folder = join(env.XDG_CONFIG_HOME || join(home, ".config"), "opencode");
  const files = [env.OPENCODE_CONFIG, join(folder, "opencode.json"), join(folder, "opencode.jsonc")].filter(
    (file) => textOf(file) !== undefined,
  ) as string[];
  const read = files.map(async (file): Promise<[string, Settings]> => [file, await place.json(file)]);
  const given = settingsOf(env.OPENCODE_CONFIG_CONTENT) ?? {};
  return [["env OPENCODE_CONFIG_CONTENT", given], ...(await Promise.all(read))];
}

/** A provider of the user's own has its key beside it, in a variable or a file, or needs none. */
function inConfig(config: Settings, source: string, env: Environment): (Finding | undefined)[] {
  return Object.entries(settingsIn(config, "provider")).map(([provider, entry]) => {
    const key = textOf(settingsIn(isSettings(entry) ? entry : {}, "options").apiKey);
    const [, from, name] = /^\{(env|file):([^}]*)\}$/.exec(key ?? "") ?? [];
    if (from === "env") return inVariable(env, name!, { provider, kind: "api-key" });
    if (from === "file") return { provider, kind: "helper", source: `${source} (${key})` };
    if (key === undefined) return { provider, kind: "cloud", source };
    return inFile(source, key, { provider, kind: "api-key" });
  });
}

function settingsOf(text: string | undefined): Settings | undefined {
  try {
    return text ? parseSettings(text) : undefined;
  } catch {
    return undefined;
  }
}
