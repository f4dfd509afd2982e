import type { ProviderDescription } from "../registry.ts";
import { createCloudflareProvider } from "./cloudflare-provider.ts";
import { cloudflareSettings, readCloudflareSettings } from "./cloudflare-settings.ts";

export const provider: ProviderDescription = {
  name: "cloudflare",
  summary: "Containers at Cloudflare, through a Worker of yours that examples/cloudflare has.",
  settings: cloudflareSettings,
  async create({ settings }) {
    return createCloudflareProvider(readCloudflareSettings(settings));
  },
};
