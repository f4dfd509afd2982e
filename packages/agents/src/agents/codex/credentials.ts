import { homedir } from "node:os";
import { join } from "node:path";
import type { AgentCredentials, Finding } from "../../credentials/agent-credentials.ts";
import { isUsable } from "../../credentials/agent-credentials.ts";
import { type CredentialPlace, credentialPlace, type Environment } from "../../credentials/credential-place.ts";
import { claimsOf, timeOf } from "../../credentials/expiry.ts";
import { inFile, inVariable, textOf } from "../../credentials/findings.ts";
import { settingsIn } from "../../settings/json-settings.ts";
import { configValues } from "./config-values.ts";

const apiKey = { provider: "openai", kind: "api-key" } as const;
const oauth = { provider: "openai", kind: "oauth" } as const;

/** In this order; Codex's own command line prefers the first, too. */
const keyVariables = ["CODEX_API_KEY", "OPENAI_API_KEY"] as const;

/** The user's own. */
export function codexHome(env: Environment): string {
  return env.CODEX_HOME || join(env.HOME || homedir(), ".codex");
}

/** The variable that holds a key, if one does. */
export function keyVariable(env: Environment): (typeof keyVariables)[number] | undefined {
  return keyVariables.find((name) => env[name]);
}

/** Somebody signed in there, and that is still good for something. */
export async function hasLogin(home: string): Promise<boolean> {
  const place = credentialPlace({ env: {} });
  return (await inLogin(place, home)).some((finding) => finding && isUsable(finding, place.now));
}

export const credentials: AgentCredentials = {
  async find(place) {
    const { env } = place;
    const home = codexHome(env);
    const own = configValues(await place.text(join(home, "config.toml")), "env_key");
    return [
      ...keyVariables.map((name) => inVariable(env, name, apiKey)),
      inVariable(env, "CODEX_ACCESS_TOKEN", oauth),
      ...(await inLogin(place, home)),
      ...own
        .filter((name) => !(keyVariables as readonly string[]).includes(name))
        .map((name) => inVariable(env, name, { provider: "config.toml", kind: "api-key" })),
    ];
  },
  /** A provider of the user's own may want the key of OpenAI, and is somebody else. */
  async wants({ env, text }) {
    const config = await text(join(codexHome(env), "config.toml"));
    const isElsewhere = env.OPENAI_BASE_URL || /base_url|model_provider/.test(config);
    return isElsewhere ? [] : [{ name: "OPENAI_API_KEY" }];
  },
};

async function inLogin(place: CredentialPlace, home: string): Promise<(Finding | undefined)[]> {
  const file = join(home, "auth.json");
  const login = await place.json(file);
  const tokens = settingsIn(login, "tokens");
  const { email } = claimsOf(tokens.id_token);
  const account = textOf(email) ?? textOf(tokens.account_id);
  return [
    inFile(file, login.OPENAI_API_KEY, { ...apiKey, variable: "OPENAI_API_KEY" }),
    inFile(file, tokens.access_token, {
      ...oauth,
      ...timeOf(claimsOf(tokens.access_token).exp),
      refreshable: textOf(tokens.refresh_token) !== undefined,
      ...(account === undefined ? {} : { account }),
    }),
    inFile(file, login.personal_access_token, oauth),
    inFile(file, login.agent_identity, { ...oauth, ...timeOf(claimsOf(login.agent_identity).exp) }),
    inFile(file, login.bedrock_api_key, {
      provider: "amazon-bedrock",
      kind: "api-key",
      variable: "AWS_BEARER_TOKEN_BEDROCK",
    }),
  ];
}
