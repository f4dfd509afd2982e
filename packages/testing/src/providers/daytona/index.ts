import type { ProviderServiceDescription } from "../provider-service.ts";
import { startDaytonaService } from "./daytona-service.ts";

export const service: ProviderServiceDescription = {
  name: "daytona",
  summary: "Daytona's API, the toolbox in each sandbox, and the proxy in front of their ports.",
  start: startDaytonaService,
};
