import { join } from "node:path";
import type { AgentCredentials, Finding } from "../../credentials/agent-credentials.ts";
import { chosenIn, inFile, inVariable, textOf, variablesIn } from "../../credentials/findings.ts";
import { isSettings, type Settings, settingsIn } from "../../settings/json-settings.ts";

const github = { provider: "github", kind: "oauth" } as const;
const own = { provider: "own", kind: "api-key" } as const;

/** A token, a model of one's own, or a sign-in. The program writes its `config.json` by itself: only a user in it counts. */
export const credentials: AgentCredentials = {
  async find({ env, home, json }) {
    const file = join(env.COPILOT_HOME || join(home, ".copilot"), "config.json");
    const config = await json(file);
    const account = accountIn(config);
    const tokens = Object.values(variablesIn(config.copilotTokens ?? config.copilot_tokens));
    const hasModel = Boolean(env.COPILOT_PROVIDER_BASE_URL);
    const inKeychain: Finding[] =
      account && tokens.length === 0
        ? [{ ...github, source: `in the keychain (${file})`, refreshable: true, account }]
        : [];
    return [
      ...["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"].map((name) => inVariable(env, name, github)),
      ...tokens.map((token) =>
        inFile(file, token, {
          ...github,
          variable: "COPILOT_GITHUB_TOKEN",
          ...(account === undefined ? {} : { account }),
        }),
      ),
      ...inKeychain,
      ...(hasModel
        ? [
            chosenIn(env, "COPILOT_PROVIDER_BASE_URL", "own"),
            inVariable(env, "COPILOT_PROVIDER_API_KEY", own),
            inVariable(env, "COPILOT_PROVIDER_BEARER_TOKEN", own),
            env.COPILOT_PROVIDER_API_KEY_COMMAND
              ? ({ provider: "own", kind: "helper", source: "env COPILOT_PROVIDER_API_KEY_COMMAND" } as const)
              : undefined,
          ]
        : []),
    ];
  },
};

/** The last one, in either spelling that its versions have. */
function accountIn(config: Settings): string | undefined {
  const users = config.loggedInUsers ?? config.logged_in_users;
  const list = Array.isArray(users) ? users.filter(isSettings) : [];
  const last = { ...settingsIn(config, "last_logged_in_user"), ...settingsIn(config, "lastLoggedInUser") };
  return textOf(last.login) ?? textOf(list[0]?.login);
}
