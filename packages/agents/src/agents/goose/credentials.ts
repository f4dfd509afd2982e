import { join } from "node:path";
import type { AgentCredentials } from "../../credentials/agent-credentials.ts";
import { inVariable, isOn } from "../../credentials/findings.ts";
import { configFolder } from "./config-folder.ts";

/** The variable of a provider's key; those that are not here need none, or sign in their own way. */
const keyVariables: Readonly<Record<string, string>> = {
  anthropic: "ANTHROPIC_API_KEY",
  openai: "OPENAI_API_KEY",
  google: "GOOGLE_API_KEY",
  openrouter: "OPENROUTER_API_KEY",
  groq: "GROQ_API_KEY",
  mistral: "MISTRAL_API_KEY",
  xai: "XAI_API_KEY",
  deepseek: "DEEPSEEK_API_KEY",
  azure_openai: "AZURE_OPENAI_API_KEY",
  databricks: "DATABRICKS_TOKEN",
  litellm: "LITELLM_API_KEY",
  tetrate: "TETRATE_API_KEY",
  venice: "VENICE_API_KEY",
};

/** A provider has to be named. Its key is in the environment, in a file, or in the keychain where `configure` put it. */
export const credentials: AgentCredentials = {
  async find({ env, home, text }) {
    const folder = configFolder({ ...env, HOME: home });
    const files = { config: join(folder, "config.yaml"), secrets: join(folder, "secrets.yaml") };
    const [config, secrets] = await Promise.all([text(files.config), text(files.secrets)]);
    const named = yamlValue(config, "GOOSE_PROVIDER");
    const provider = env.GOOSE_PROVIDER || named;
    if (provider === undefined) return [];
    const variable = Object.hasOwn(keyVariables, provider) ? keyVariables[provider]! : undefined;
    const source = env.GOOSE_PROVIDER ? "env GOOSE_PROVIDER" : files.config;
    if (variable === undefined) return [{ provider, kind: "cloud", source }];
    const kept = { [variable]: yamlValue(secrets, variable) };
    const found = [
      inVariable(env, variable, { provider, kind: "api-key" }),
      inVariable(kept, variable, { provider, kind: "api-key", source: files.secrets }),
    ];
    const mayBeInKeychain =
      provider === named && !isOn(env.GOOSE_DISABLE_KEYRING ?? yamlValue(config, "GOOSE_DISABLE_KEYRING"));
    return found.every((one) => one === undefined) && mayBeInKeychain
      ? [{ provider, kind: "api-key", source: `in the keychain (${files.config})` }]
      : found;
  },
};

/** A value of the outermost level, as the program writes it. */
function yamlValue(text: string, name: string): string | undefined {
  const [, value] = new RegExp(`^${name}:[ \\t]*["']?([^"'\\n]*)`, "m").exec(text) ?? [];
  return value?.trim() || undefined;
}
