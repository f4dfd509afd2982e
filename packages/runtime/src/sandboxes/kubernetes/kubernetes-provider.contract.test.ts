import { dirname } from "node:path";
import { beforeAll, describe } from "vitest";
import { buildCli, cliBundle } from "../../../../../scripts/setup.mjs";
import { KubernetesService } from "../../../../testing/src/providers/kubernetes/kubernetes-service.ts";
import { describeSandbox } from "../contract/describe-sandbox.ts";
import { providerOfService } from "../hosted/__fixtures__/provider-of-service.ts";
import { describeHostedProvider } from "../hosted/contract/describe-hosted-provider.ts";
import { sandboxScenario, scenario } from "./__fixtures__/contract-scenario.ts";
import { provider as description } from "./index.ts";

const bundle = dirname(cliBundle);
const external = ["@kubernetes/client-node"];

beforeAll(() => buildCli(), 300_000);

const underTest = async (settings: Readonly<Record<string, unknown>>) =>
  providerOfService({ description, service: await KubernetesService.start(), settings, external });

describe("as pods", () => {
  describeSandbox("kubernetes", () => underTest({ reach: "pod-ip" }), { bundle });
  describeHostedProvider("kubernetes", { ...scenario, bundle });
});

describe("as Sandboxes of agent-sandbox", () => {
  describeSandbox("kubernetes", () => underTest({ mode: "sandbox", reach: "port-forward" }), { bundle });
  describeHostedProvider("kubernetes", { ...sandboxScenario, bundle });
});
