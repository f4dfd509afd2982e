import { join } from "node:path";
import { type CredentialSource, fromFile, fromVariable, objectIn } from "./credential.ts";

const apiKey = { provider: "openai", kind: "api-key" } as const;

export const codex: CredentialSource = {
  agent: "codex",
  find: (place) => {
    const file = join(place.env.CODEX_HOME || join(place.home, ".codex"), "auth.json");
    const auth = place.readJson(file);
    return [
      fromVariable(place, "OPENAI_API_KEY", apiKey),
      fromVariable(place, "CODEX_API_KEY", apiKey),
      fromFile(file, auth?.OPENAI_API_KEY, { ...apiKey, variable: "OPENAI_API_KEY" }),
      fromFile(file, objectIn(auth?.tokens).access_token, { provider: "openai", kind: "oauth" }),
    ];
  },
};
