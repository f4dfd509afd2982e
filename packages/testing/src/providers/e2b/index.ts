import type { ProviderServiceDescription } from "../provider-service.ts";
import { startE2bService } from "./e2b-service.ts";

export const service: ProviderServiceDescription = {
  name: "e2b",
  summary: "E2B's control plane, envd in each sandbox, and the proxy in front of their ports.",
  start: startE2bService,
};
