import { startDaytonaService } from "../../../../../testing/src/providers/daytona/daytona-service.ts";
import type { HostedScenario } from "../../hosted/contract/hosted-under-test.ts";
import { provider } from "../index.ts";

export const scenario: HostedScenario = {
  can: { suspend: "disk", snapshot: false, extend: true, network: true, isolation: true },
  async start(live) {
    if (live) return { settings: {} };
    const service = await startDaytonaService();
    return { settings: service.settings, service };
  },
  live: ["DAYTONA_API_KEY"],
  open: (options) => provider.create(options),
};
