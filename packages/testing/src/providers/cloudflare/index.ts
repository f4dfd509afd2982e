import type { ProviderServiceDescription } from "../provider-service.ts";
import { startCloudflareService } from "./cloudflare-service.ts";

export const service: ProviderServiceDescription = {
  name: "cloudflare",
  summary: "The Worker of examples/cloudflare, with boxes of this machine in the place of containers.",
  start: startCloudflareService,
};
