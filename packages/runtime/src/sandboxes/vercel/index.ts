import type { ProviderDescription } from "../registry.ts";
import { createVercelProvider } from "./vercel-provider.ts";
import { readVercelSettings, vercelSettings } from "./vercel-settings.ts";

export const provider: ProviderDescription = {
  name: "vercel",
  summary: "Sandboxes at Vercel: small virtual machines, of which the disk is kept when idle.",
  settings: vercelSettings,
  async create({ directory, settings }) {
    return createVercelProvider({ directory, ...readVercelSettings(settings) });
  },
};
