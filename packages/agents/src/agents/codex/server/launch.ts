import { join } from "node:path";
import { readRegularText } from "../../../files/read-regular-file.ts";
import type { Launch } from "../../../shared-server/launch.ts";
import { codexHome, hasLogin, keyVariable } from "../credentials.ts";
import { preparePrivateHome } from "./private-home.ts";

const ENVIRONMENT_PROVIDER = "environment";

/** The environment of the process: with a home of ours where the user has a key and no login. */
export async function processEnvironment({ env }: Launch, dataDir: string): Promise<Record<string, string>> {
  const home = codexHome(env);
  const key = env[keyVariable(env) ?? ""];
  if (key === undefined || env.OPENAI_BASE_URL || (await hasLogin(home))) return { ...env };
  return { ...env, CODEX_HOME: await preparePrivateHome(dataDir, home, key) };
}

/** Of what phones home, the part that does so at the start of the process is off; the rest is said for each thread. */
export async function processArgs({ env }: Launch): Promise<string[]> {
  const settings = ["features.plugins=false", "analytics.enabled=false", ...(await environmentProvider(env))];
  return ["app-server", ...settings.flatMap((setting) => ["-c", setting])];
}

/** The app-server does not look at `OPENAI_BASE_URL`; a provider of that address does the same. The user's own comes first. */
async function environmentProvider(env: Launch["env"]): Promise<string[]> {
  if (!env.OPENAI_BASE_URL || (await namesProvider(codexHome(env)))) return [];
  const key = keyVariable(env);
  const provider = [
    'name = "OpenAI"',
    `base_url = ${JSON.stringify(env.OPENAI_BASE_URL)}`,
    'wire_api = "responses"',
    ...(key === undefined ? [] : [`env_key = "${key}"`]),
  ];
  return [
    `model_provider="${ENVIRONMENT_PROVIDER}"`,
    `model_providers.${ENVIRONMENT_PROVIDER}={ ${provider.join(", ")} }`,
  ];
}

async function namesProvider(home: string): Promise<boolean> {
  const config = await readRegularText(join(home, "config.toml")).catch(() => "");
  return /^[ \t]*model_provider[ \t]*=/m.test(config);
}
