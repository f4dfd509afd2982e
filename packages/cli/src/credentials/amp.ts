import { join } from "node:path";
import { userDataDirectory } from "../data-dir.ts";
import { type CredentialSource, fromFile, fromVariable } from "./credential.ts";

const ampKey = { provider: "amp", kind: "api-key" } as const;

export const amp: CredentialSource = {
  agent: "amp",
  find: (place) => {
    const file = join(userDataDirectory({ ...place.env, HOME: place.home }), "amp", "secrets.json");
    const keys = Object.entries(place.readJson(file) ?? {}).filter(([name]) => name.startsWith("apiKey@"));
    return [
      fromVariable(place, "AMP_API_KEY", ampKey),
      ...keys.map(([, value]) => fromFile(file, value, { ...ampKey, variable: "AMP_API_KEY" })),
    ];
  },
};
