import { startModalService } from "../../../../../testing/src/providers/modal/modal-service.ts";
import type { HostedScenario } from "../../hosted/contract/hosted-under-test.ts";
import { provider } from "../index.ts";

export const scenario: HostedScenario = {
  can: { suspend: false, snapshot: false, extend: false, network: true, isolation: true },
  async start(live) {
    if (live) return { settings: {} };
    const service = await startModalService();
    return { settings: service.settings, service };
  },
  live: ["MODAL_TOKEN_ID", "MODAL_TOKEN_SECRET"],
  open: (options) => provider.create(options),
};
