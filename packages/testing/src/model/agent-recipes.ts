/** How an agent's own program is started so that it talks to a scripted model and to nobody else. */
export interface AgentRecipe {
  readonly agent: string;
  readonly env: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  /** What no variable and no argument can say. */
  readonly file?: { readonly path: string; readonly content: string };
}

const KEY = "scripted";

/** Recipes for the agents we know; `url` is that of the model. */
export function agentRecipes(url: string): readonly AgentRecipe[] {
  return [
    {
      agent: "Claude Code",
      env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: KEY, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1" },
      command: ["claude"],
    },
    { agent: "Codex", env: { SCRIPTED_KEY: KEY }, command: ["codex", ...codexSettings(url)] },
    {
      agent: "OpenCode",
      env: {
        OPENCODE_CONFIG_CONTENT: JSON.stringify(opencodeConfig(url)),
        OPENCODE_DISABLE_MODELS_FETCH: "1",
        OPENCODE_DISABLE_AUTOUPDATE: "1",
        NPM_CONFIG_OFFLINE: "true",
      },
      command: ["opencode"],
    },
    {
      agent: "Gemini CLI",
      env: { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: KEY, GEMINI_CLI_TRUST_WORKSPACE: "true" },
      command: ["gemini", "-m", "gemini-3.8-flash"],
      file: { path: "~/.gemini/settings.json", content: JSON.stringify(geminiSettings) },
    },
    {
      agent: "Amp",
      env: { AMP_URL: url, AMP_API_KEY: KEY, AMP_SKIP_UPDATE_CHECK: "1" },
      command: ["amp"],
    },
    {
      agent: "Goose",
      env: { GOOSE_PROVIDER: "openai", GOOSE_MODEL: "gpt-4o", OPENAI_API_KEY: KEY, OPENAI_HOST: url },
      command: ["goose"],
    },
    {
      agent: "Qwen Code",
      env: { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: "scripted" },
      command: ["qwen"],
    },
    {
      agent: "Copilot",
      env: {
        COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
        COPILOT_PROVIDER_API_KEY: KEY,
        COPILOT_MODEL: "gpt-5.4",
        COPILOT_OFFLINE: "true",
      },
      command: ["copilot"],
    },
  ];
}

/** Codex knows the tools of this model by its name; of an unknown one it offers fewer. */
const CODEX_MODEL = "gpt-5.5";

function codexSettings(url: string): string[] {
  const provider = `{ name = "Scripted", base_url = "${url}/v1", wire_api = "responses", env_key = "SCRIPTED_KEY" }`;
  const settings = [
    `model="${CODEX_MODEL}"`,
    'model_provider="scripted"',
    `model_providers.scripted=${provider}`,
    "features.plugins=false",
    "features.unbounded_connection_retries=false",
  ];
  return settings.flatMap((setting) => ["-c", setting]);
}

function opencodeConfig(url: string): object {
  const model = {
    name: "Scripted",
    reasoning: true,
    tool_call: true,
    attachment: true,
    limit: { context: 200_000, output: 8_192 },
    modalities: { input: ["text", "image"], output: ["text"] },
  };
  return {
    autoupdate: false,
    share: "disabled",
    model: "scripted/model",
    small_model: "scripted/model",
    enabled_providers: ["scripted"],
    provider: {
      scripted: {
        npm: "@ai-sdk/openai-compatible",
        name: "Scripted",
        options: { baseURL: `${url}/v1`, apiKey: KEY },
        models: { model },
      },
    },
  };
}

const geminiSettings = {
  security: { auth: { selectedType: "gemini-api-key" } },
  privacy: { usageStatisticsEnabled: false },
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
};
