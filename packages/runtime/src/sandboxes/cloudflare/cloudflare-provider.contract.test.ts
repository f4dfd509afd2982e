import { dirname } from "node:path";
import { beforeAll } from "vitest";
import { buildCli, cliBundle } from "../../../../../scripts/setup.mjs";
import { describeSandbox } from "../contract/describe-sandbox.ts";
import { providerOfService } from "../hosted/__fixtures__/provider-of-service.ts";
import { describeHostedProvider } from "../hosted/contract/describe-hosted-provider.ts";
import { scenario, startService } from "./__fixtures__/contract-scenario.ts";
import { provider } from "./index.ts";

beforeAll(() => buildCli(), 300_000);

const bundle = dirname(cliBundle);

describeSandbox(
  "cloudflare",
  async () => providerOfService({ description: provider, service: await startService(), external: [] }),
  { bundle },
);

describeHostedProvider("cloudflare", { ...scenario, bundle });
