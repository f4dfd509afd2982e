import { dirname } from "node:path";
import { cliBundle } from "../../../../../../scripts/setup.mjs";
import { startCloudflareService } from "../../../../../testing/src/providers/cloudflare/cloudflare-service.ts";
import type { ProviderService } from "../../../../../testing/src/providers/provider-service.ts";
import type { HostedScenario } from "../../hosted/contract/hosted-under-test.ts";
import { imageBundle } from "../../hosted/hosted-layout.ts";
import { provider } from "../index.ts";

export const startService = (): Promise<ProviderService> =>
  startCloudflareService({ mounts: { [imageBundle]: dirname(cliBundle) } });

export const scenario: HostedScenario = {
  can: { suspend: false, snapshot: false, extend: true, network: true, isolation: true },
  leftOut: { moved: "the address of a container is the Worker's, which stays" },
  async start(live) {
    if (live) return { settings: {} };
    const service = await startService();
    return { settings: service.settings, service };
  },
  live: ["SANDBOX_AGENT_CLOUDFLARE_URL", "SANDBOX_AGENT_CLOUDFLARE_KEY"],
  open: (options) => provider.create(options),
};
