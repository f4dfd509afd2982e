import { dirname } from "node:path";
import { beforeAll } from "vitest";
import { buildCli, cliBundle } from "../../../../../scripts/setup.mjs";
import { startVercelService } from "../../../../testing/src/providers/vercel/vercel-service.ts";
import { describeSandbox } from "../contract/describe-sandbox.ts";
import { providerOfService } from "../hosted/__fixtures__/provider-of-service.ts";
import { describeHostedProvider } from "../hosted/contract/describe-hosted-provider.ts";
import { scenario } from "./__fixtures__/contract-scenario.ts";
import { provider } from "./index.ts";

beforeAll(() => buildCli(), 300_000);

const bundle = dirname(cliBundle);

describeSandbox(
  "vercel",
  async () =>
    providerOfService({ description: provider, service: await startVercelService(), external: ["@vercel/sandbox"] }),
  { bundle },
);

describeHostedProvider("vercel", { ...scenario, bundle });
