import { startVercelService } from "../../../../../testing/src/providers/vercel/vercel-service.ts";
import type { HostedScenario } from "../../hosted/contract/hosted-under-test.ts";
import { provider } from "../index.ts";

export const scenario: HostedScenario = {
  can: { suspend: "disk", snapshot: false, extend: true, network: true, isolation: true },
  async start(live) {
    if (live) return { settings: {} };
    const service = await startVercelService();
    return { settings: service.settings, service };
  },
  live: ["VERCEL_TOKEN", "VERCEL_TEAM_ID", "VERCEL_PROJECT_ID"],
  open: (options) => provider.create(options),
};
