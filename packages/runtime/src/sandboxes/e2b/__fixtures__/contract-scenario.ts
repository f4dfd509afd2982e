import { startE2bService } from "../../../../../testing/src/providers/e2b/e2b-service.ts";
import type { HostedScenario } from "../../hosted/contract/hosted-under-test.ts";
import { provider } from "../index.ts";

export const scenario: HostedScenario = {
  can: { suspend: "memory", snapshot: false, extend: true, network: true, isolation: true },
  async start(live) {
    if (live) return { settings: {} };
    const service = await startE2bService();
    return { settings: service.settings, service };
  },
  live: ["E2B_API_KEY"],
  open: (options) => provider.create(options),
};
