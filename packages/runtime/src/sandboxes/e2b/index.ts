import type { ProviderDescription } from "../registry.ts";
import { createE2bProvider } from "./e2b-provider.ts";
import { e2bSettings, readE2bSettings } from "./e2b-settings.ts";

export const provider: ProviderDescription = {
  name: "e2b",
  summary: "Sandboxes at E2B: small virtual machines, paused with their memory when idle.",
  settings: e2bSettings,
  async create({ directory, settings }) {
    return createE2bProvider({ directory, ...readE2bSettings(settings) });
  },
};
