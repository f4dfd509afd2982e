import { join } from "node:path";
import type { AgentCredentials, Finding } from "../../credentials/agent-credentials.ts";
import type { CredentialPlace, Environment } from "../../credentials/credential-place.ts";
import { timeOf } from "../../credentials/expiry.ts";
import { chosenIn, inFile, inVariable, isOn, textOf, variablesIn } from "../../credentials/findings.ts";
import { type Settings, settingsIn } from "../../settings/json-settings.ts";

const apiKey = { provider: "anthropic", kind: "api-key" } as const;
const oauth = { provider: "anthropic", kind: "oauth" } as const;

/** It holds what the program knows of all projects, too. */
const LONGEST_STATE = 4 * 1024 * 1024;

/** The choice of a service that signs in its own way. */
const services = {
  CLAUDE_CODE_USE_BEDROCK: "amazon-bedrock",
  CLAUDE_CODE_USE_VERTEX: "google-vertex",
  CLAUDE_CODE_USE_FOUNDRY: "azure-foundry",
  CLAUDE_CODE_USE_MANTLE: "amazon-mantle",
  CLAUDE_CODE_USE_GATEWAY: "gateway",
  CLAUDE_CODE_USE_ANTHROPIC_AWS: "anthropic-aws",
  CLAUDE_CODE_USE_ANTHROPIC_GOOGLE_CLOUD: "anthropic-google-cloud",
};

export const credentials: AgentCredentials = {
  async find(place) {
    const { env, home } = place;
    const directory = configDirectory(place);
    const stateFile = join(env.CLAUDE_CONFIG_DIR || home, ".claude.json");
    const signInFile = join(env.CLAUDE_SECURESTORAGE_CONFIG_DIR || directory, ".credentials.json");
    const settingsFile = join(directory, "settings.json");
    const [state, signIn, settings] = await Promise.all([
      place.json(stateFile, LONGEST_STATE),
      place.json(signInFile),
      place.json(settingsFile),
    ]);
    const account = accountIn(state);
    const found = signInOf(settingsIn(signIn, "claudeAiOauth"), { source: signInFile, account, now: place.now });
    return [
      ...inEnvironment(env),
      ...inEnvironment(variablesIn(settings.env), `${settingsFile} (env)`),
      inFile(stateFile, state.primaryApiKey, { ...apiKey, variable: "ANTHROPIC_API_KEY", ...account }),
      found,
      textOf(settings.apiKeyHelper) === undefined
        ? undefined
        : { provider: "anthropic", kind: "helper", source: `${settingsFile} (apiKeyHelper)` },
      // On a Mac the keychain has the token, and the file says whose it is.
      place.platform === "darwin" && account && !found
        ? { ...oauth, source: `in the keychain (${stateFile})`, refreshable: true, ...account }
        : undefined,
    ];
  },
  async wants(place) {
    const settings = await place.json(join(configDirectory(place), "settings.json"));
    const isElsewhere = place.env.ANTHROPIC_BASE_URL || variablesIn(settings.env).ANTHROPIC_BASE_URL;
    return isElsewhere ? [] : [{ name: "ANTHROPIC_API_KEY", alias: "CLAUDE_API_KEY" }];
  },
};

const configDirectory = ({ env, home }: CredentialPlace): string => env.CLAUDE_CONFIG_DIR || join(home, ".claude");

function inEnvironment(env: Environment, source?: string): (Finding | undefined)[] {
  const from = source === undefined ? {} : { source };
  const key = (name: string, kind: Pick<Finding, "provider" | "kind">) => inVariable(env, name, { ...kind, ...from });
  const isFederated =
    env.ANTHROPIC_FEDERATION_RULE_ID && (env.ANTHROPIC_IDENTITY_TOKEN || env.ANTHROPIC_IDENTITY_TOKEN_FILE);
  return [
    key("ANTHROPIC_API_KEY", apiKey),
    key("ANTHROPIC_AUTH_TOKEN", oauth),
    key("CLAUDE_CODE_OAUTH_TOKEN", oauth),
    inVariable(env, "CLAUDE_CODE_OAUTH_REFRESH_TOKEN", { ...oauth, ...from, refreshable: true }),
    isFederated
      ? { provider: "anthropic", kind: "cloud", source: "env ANTHROPIC_FEDERATION_RULE_ID", ...from }
      : undefined,
    isOn(env.ANTHROPIC_PROFILE)
      ? { provider: "anthropic", kind: "cloud", source: "env ANTHROPIC_PROFILE", ...from }
      : undefined,
    key("AWS_BEARER_TOKEN_BEDROCK", { provider: "amazon-bedrock", kind: "api-key" }),
    key("ANTHROPIC_AWS_API_KEY", { provider: "anthropic-aws", kind: "api-key" }),
    key("ANTHROPIC_FOUNDRY_API_KEY", { provider: "azure-foundry", kind: "api-key" }),
    key("ANTHROPIC_FOUNDRY_AUTH_TOKEN", { provider: "azure-foundry", kind: "oauth" }),
    ...Object.entries(services).map(([name, provider]) => {
      const chosen = chosenIn(env, name, provider);
      return chosen && { ...chosen, ...from };
    }),
  ];
}

interface SignInPlace {
  readonly source: string;
  readonly account: Pick<Finding, "account"> | undefined;
  readonly now: number;
}

/** A sign-in with a refresh token that is empty has ended; one without is for a year and is not renewed. */
function signInOf(signIn: Settings, { source, account, now }: SignInPlace): Finding | undefined {
  if (signIn.refreshToken === "") return undefined;
  const refreshesUntil = timeOf(signIn.refreshTokenExpiresAt)?.expiresAt ?? Number.POSITIVE_INFINITY;
  return inFile(source, signIn.accessToken, {
    ...oauth,
    variable: "CLAUDE_CODE_OAUTH_TOKEN",
    ...timeOf(signIn.expiresAt),
    refreshable: textOf(signIn.refreshToken) !== undefined && refreshesUntil > now,
    ...account,
  });
}

function accountIn(state: Settings): { account: string } | undefined {
  const { emailAddress, accountUuid } = settingsIn(state, "oauthAccount");
  const account = textOf(emailAddress) ?? textOf(accountUuid);
  return account === undefined ? undefined : { account };
}
