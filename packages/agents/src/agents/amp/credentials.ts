import { join } from "node:path";
import type { AgentCredentials } from "../../credentials/agent-credentials.ts";
import { hasCredentials } from "../../credentials/find-credentials.ts";
import { inFile, inVariable, textOf } from "../../credentials/findings.ts";
import { readUserSettings } from "./user-settings.ts";

const ampKey = { provider: "amp", kind: "api-key" } as const;
const defaultUrl = "https://ampcode.com";

/** It keeps a key for each service it was signed in to; the one that is asked counts. */
export const credentials: AgentCredentials = {
  async find({ env, home, json }) {
    const file = join(env.XDG_DATA_HOME || join(home, ".local", "share"), "amp", "secrets.json");
    const [secrets, settings] = await Promise.all([json(file), readUserSettings({ ...env, HOME: home })]);
    const url = sameUrl(env.AMP_URL || textOf(settings["amp.url"]) || defaultUrl);
    const keys = Object.entries(secrets).filter(
      ([name]) => name.startsWith("apiKey@") && sameUrl(name.slice("apiKey@".length)) === url,
    );
    const workload = Object.keys(env).find((name) => name.startsWith("AMP_WORKLOAD_IDENTITY_") && env[name]);
    return [
      inVariable(env, "AMP_API_KEY", ampKey),
      ...keys.map(([, value]) => inFile(file, value, { ...ampKey, variable: "AMP_API_KEY" })),
      workload === undefined ? undefined : { provider: "amp", kind: "cloud", source: `env ${workload}` },
    ];
  },
};

const sameUrl = (url: string): string => (URL.canParse(url) ? new URL(url).href : url).replace(/\/+$/, "");

/** Whether it is worth starting Amp. On a Mac the keychain may have a key that nobody else can see. */
export async function maySignIn(
  env: Readonly<Record<string, string>>,
  platform: string = process.platform,
): Promise<boolean> {
  return platform === "darwin" || hasCredentials(credentials, env);
}
