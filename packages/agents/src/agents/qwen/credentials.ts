import { join } from "node:path";
import type { AgentCredentials, Finding } from "../../credentials/agent-credentials.ts";
import { parseDotEnv } from "../../credentials/dot-env.ts";
import { timeOf } from "../../credentials/expiry.ts";
import { inFile, inVariable, textOf, variablesIn } from "../../credentials/findings.ts";
import { isSettings, type Settings, settingsIn } from "../../settings/json-settings.ts";
import { qwenDirectory } from "./qwen-directory.ts";

const providers: Readonly<Record<string, string>> = {
  OPENAI_API_KEY: "openai",
  DASHSCOPE_API_KEY: "alibaba",
  BAILIAN_CODING_PLAN_API_KEY: "alibaba-coding-plan",
};

/** A key in the environment, a sign-in, or settings in which a person put one. */
export const credentials: AgentCredentials = {
  async find({ env, home, json, text }) {
    const folder = qwenDirectory({ ...env, HOME: home });
    const files = { settings: join(folder, "settings.json"), dotEnv: join(folder, ".env") };
    const signInFile = join(folder, "oauth_creds.json");
    const [settings, dotEnv, signIn] = await Promise.all([json(files.settings), text(files.dotEnv), json(signInFile)]);
    const places = [
      [env, undefined],
      [parseDotEnv(dotEnv), files.dotEnv],
      [variablesIn(settings.env), files.settings],
    ] as const;
    const names = [...new Set([...Object.keys(providers), ...keyNames(settings)])];
    const { apiKey } = settingsIn(settingsIn(settings, "security"), "auth");
    const keys = places.flatMap(([variables, file]) =>
      names.map((name): Finding | undefined => {
        const source = file === undefined ? {} : { source: `${file} (${name})` };
        return inVariable(variables, name, { provider: providers[name] ?? "own", kind: "api-key", ...source });
      }),
    );
    return [
      ...keys,
      inFile(files.settings, apiKey, { provider: "own", kind: "api-key" }),
      inFile(signInFile, textOf(signIn.access_token) ?? signIn.refresh_token, {
        provider: "qwen",
        kind: "oauth",
        ...timeOf(signIn.expiry_date),
        refreshable: textOf(signIn.refresh_token) !== undefined,
      }),
    ];
  },
};

/** The variables that the user's own models take their keys from. */
function keyNames(settings: Settings): string[] {
  const models = Object.values(settingsIn(settings, "modelProviders")).flat();
  return models.flatMap((model) => (isSettings(model) ? (textOf(model.envKey) ?? []) : []));
}
