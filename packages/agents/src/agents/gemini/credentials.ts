import { join } from "node:path";
import { type AgentCredentials, type Finding, isUsable } from "../../credentials/agent-credentials.ts";
import { type CredentialPlace, credentialPlace, type Environment } from "../../credentials/credential-place.ts";
import { parseDotEnv } from "../../credentials/dot-env.ts";
import { timeOf } from "../../credentials/expiry.ts";
import { chosenIn, inFile, inVariable, isOn, textOf } from "../../credentials/findings.ts";
import { geminiDirectory } from "./home/gemini-directory.ts";

/** The program's own names for the ways to sign in. */
export type AuthType = "gemini-api-key" | "vertex-ai" | "oauth-personal" | "gateway" | "compute-default-credentials";

type Way = readonly [auth: AuthType, finding: Finding | undefined];

const apiKey = { provider: "google", kind: "api-key" } as const;
const oauth = { provider: "google", kind: "oauth" } as const;

export const credentials: AgentCredentials = {
  find: async (place) => (await waysIn(place)).map(([, finding]) => finding),
};

/**
 * The way to sign in that there is something for. The program itself wants to be told one in its settings: with a key
 * in the environment and nothing else it begins conversations, but goes on with none.
 */
export async function availableAuth(env: Environment): Promise<AuthType | undefined> {
  const place = credentialPlace({ env });
  return (await waysIn(place)).find(([, finding]) => finding && isUsable(finding, place.now))?.[0];
}

async function waysIn(place: CredentialPlace): Promise<Way[]> {
  const directory = geminiDirectory(place.env.HOME ? place.env : { ...place.env, HOME: place.home });
  const file = join(directory, ".env");
  const written = parseDotEnv(await place.text(file));
  const all = { ...written, ...place.env };
  const key = (name: string, rest: Pick<Finding, "provider" | "kind">) =>
    inVariable(all, name, { ...rest, ...(place.env[name] === undefined ? { source: `${file} (${name})` } : {}) });
  return [
    ["gemini-api-key", key("GEMINI_API_KEY", apiKey)],
    ["oauth-personal", isOn(all.GOOGLE_GENAI_USE_GCA) ? key("GOOGLE_CLOUD_ACCESS_TOKEN", oauth) : undefined],
    ["vertex-ai", chosenIn(all, "GOOGLE_GENAI_USE_VERTEXAI", "google-vertex")],
    ["vertex-ai", key("GOOGLE_API_KEY", { provider: "google-vertex", kind: "api-key" })],
    ["gateway", chosenIn(all, "GOOGLE_GEMINI_BASE_URL", "gateway")],
    ["compute-default-credentials", chosenIn(all, "GEMINI_CLI_USE_COMPUTE_ADC", "google-cloud")],
    ...(await loginsIn(place, directory)).map((finding): Way => ["oauth-personal", finding]),
  ];
}

async function loginsIn(place: CredentialPlace, directory: string): Promise<(Finding | undefined)[]> {
  const file = join(directory, "oauth_creds.json");
  const encrypted = join(directory, "gemini-credentials.json");
  const accounts = join(directory, "google_accounts.json");
  const [login, sealed, { active }] = await Promise.all([
    place.json(file),
    place.text(encrypted),
    place.json(accounts),
  ]);
  const account = textOf(active);
  const whose = account === undefined ? {} : { account };
  const found = [
    inFile(file, textOf(login.access_token) ?? login.refresh_token, {
      ...oauth,
      ...timeOf(login.expiry_date),
      refreshable: textOf(login.refresh_token) !== undefined,
      ...whose,
    }),
    /[^\s{}]/.test(sealed) ? { ...oauth, source: `${encrypted} (encrypted)`, refreshable: true, ...whose } : undefined,
  ];
  const isInKeychain = place.platform === "darwin" && account !== undefined && found.every((one) => one === undefined);
  return isInKeychain ? [{ ...oauth, source: `in the keychain (${accounts})`, refreshable: true, ...whose }] : found;
}
