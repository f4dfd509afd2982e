import { dirname } from "node:path";
import { beforeAll } from "vitest";
import { buildCli, cliBundle } from "../../../../../scripts/setup.mjs";
import { describeSandbox } from "../contract/describe-sandbox.ts";
import { describeHostedProvider } from "../hosted/contract/describe-hosted-provider.ts";
import { scenario } from "./__fixtures__/contract-scenario.ts";
import { underTest } from "./__fixtures__/under-test.ts";

const bundle = dirname(cliBundle);

beforeAll(() => buildCli(), 300_000);

describeSandbox("kubernetes", () => underTest({ reach: "pod-ip" }), { bundle });
describeHostedProvider("kubernetes", { ...scenario, bundle });
