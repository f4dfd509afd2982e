/** The variable of a provider's key, where it is not simply the provider's name. */
const irregular: Readonly<Record<string, string>> = {
  "302ai": "302AI_API_KEY",
  alibaba: "DASHSCOPE_API_KEY",
  "alibaba-cn": "DASHSCOPE_API_KEY",
  "amazon-bedrock": "AWS_BEARER_TOKEN_BEDROCK",
  clarifai: "CLARIFAI_PAT",
  "cloudflare-ai-gateway": "CLOUDFLARE_API_TOKEN",
  "cloudflare-workers-ai": "CLOUDFLARE_API_KEY",
  databricks: "DATABRICKS_TOKEN",
  digitalocean: "DIGITALOCEAN_ACCESS_TOKEN",
  "fireworks-ai": "FIREWORKS_API_KEY",
  friendli: "FRIENDLI_TOKEN",
  "github-copilot": "GITHUB_TOKEN",
  gitlab: "GITLAB_TOKEN",
  google: "GOOGLE_GENERATIVE_AI_API_KEY",
  huggingface: "HF_TOKEN",
  "io-net": "IOINTELLIGENCE_API_KEY",
  meta: "META_MODEL_API_KEY",
  moonshotai: "MOONSHOT_API_KEY",
  "moonshotai-cn": "MOONSHOT_API_KEY",
  "novita-ai": "NOVITA_API_KEY",
  oci: "OCI_GENAI_API_KEY",
  "ollama-cloud": "OLLAMA_API_KEY",
  "opencode-go": "OPENCODE_API_KEY",
  "sap-ai-core": "AICORE_SERVICE_KEY",
  "snowflake-cortex": "SNOWFLAKE_CORTEX_PAT",
  togetherai: "TOGETHER_API_KEY",
  vercel: "AI_GATEWAY_API_KEY",
  volcengine: "ARK_API_KEY",
  watsonx: "WATSONX_AI_APIKEY",
  zai: "ZHIPU_API_KEY",
  "zai-coding-plan": "ZHIPU_API_KEY",
  zhipuai: "ZHIPU_API_KEY",
  "zhipuai-coding-plan": "ZHIPU_API_KEY",
};

/** These have no key that one variable could hold. */
const withoutKey = new Set(["google-vertex", "google-vertex-anthropic"]);

/** The variable in which OpenCode looks for a provider's key. */
export function providerVariable(provider: string): string | undefined {
  if (withoutKey.has(provider)) return undefined;
  if (Object.hasOwn(irregular, provider)) return irregular[provider];
  return `${provider.toUpperCase().replace(/[^A-Z0-9]+/g, "_")}_API_KEY`;
}
