import type { ProviderServiceDescription } from "../provider-service.ts";
import { startVercelService } from "./vercel-service.ts";

export const service: ProviderServiceDescription = {
  name: "vercel",
  summary: "Vercel's API for sandboxes, and the addresses of their ports.",
  start: startVercelService,
};
