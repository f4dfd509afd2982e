import type { ProviderServiceDescription } from "../provider-service.ts";
import { startModalService } from "./modal-service.ts";

export const service: ProviderServiceDescription = {
  name: "modal",
  summary: "Modal's control plane, its command router, and the proxy that connect tokens lead through.",
  start: startModalService,
};
