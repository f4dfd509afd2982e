import { join } from "node:path";
import { userDataDirectory } from "../data-dir.ts";
import { type CredentialSource, fromFile, objectIn } from "./credential.ts";

/** OpenCode keeps one entry per model provider; keys in the environment are those of the providers themselves. */
export const opencode: CredentialSource = {
  agent: "opencode",
  find: (place) => {
    const file = join(userDataDirectory({ ...place.env, HOME: place.home }), "opencode", "auth.json");
    return Object.entries(place.readJson(file) ?? {}).map(([provider, entry]) => {
      const { type, key, access } = objectIn(entry);
      return type === "api"
        ? fromFile(file, key, { provider, kind: "api-key", variable: keyVariable(provider) })
        : fromFile(file, access, { provider, kind: "oauth" });
    });
  },
};

const keyVariable = (provider: string): string => `${provider.toUpperCase().replace(/[^A-Z0-9]+/g, "_")}_API_KEY`;
