import { join } from "node:path";
import { type CredentialSource, fromFile, fromVariable, objectIn } from "./credential.ts";

const apiKey = { provider: "anthropic", kind: "api-key" } as const;
const oauth = { provider: "anthropic", kind: "oauth" } as const;

export const claude: CredentialSource = {
  agent: "claude",
  find: (place) => {
    const moved = place.env.CLAUDE_CONFIG_DIR || undefined;
    const config = join(moved ?? place.home, ".claude.json");
    const signIn = join(moved ?? join(place.home, ".claude"), ".credentials.json");
    return [
      fromVariable(place, "ANTHROPIC_API_KEY", apiKey),
      fromVariable(place, "ANTHROPIC_AUTH_TOKEN", oauth),
      fromVariable(place, "CLAUDE_CODE_OAUTH_TOKEN", oauth),
      fromFile(config, place.readJson(config)?.primaryApiKey, { ...apiKey, variable: "ANTHROPIC_API_KEY" }),
      fromFile(signIn, objectIn(place.readJson(signIn)?.claudeAiOauth).accessToken, {
        ...oauth,
        variable: "CLAUDE_CODE_OAUTH_TOKEN",
      }),
    ];
  },
};
