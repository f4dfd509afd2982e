import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describeCrashes } from "./describe-crashes.ts";
import { describeFaults } from "./describe-faults.ts";
import { describeSessions } from "./describe-sessions.ts";
import { makeBench } from "./hosted-bench.ts";
import { type HostedFeature, hostedFeatures } from "./hosted-features.ts";
import type { HostedContractOptions, HostedScenario, HostedUnderTest, ServiceUnderTest } from "./hosted-under-test.ts";

export type { HostedContractOptions, HostedFeature, HostedScenario, HostedUnderTest, ServiceUnderTest };
export { hostedFeatures };

/** The variable that names the provider whose live service is tested; `npm run test:live` sets it. */
export const liveVariable = "SANDBOX_AGENT_TEST_LIVE";

/**
 * Whole sessions of a real runtime in sandboxes of a provider at a hosting service, with the real daemon and the mock agent; with
 * the faults that services have, where the service is one of our own. Beside `describeSandbox`, which every provider runs:
 *
 *     describeHostedProvider("e2b", { ...scenario, bundle: "packages/cli/dist" });
 *
 * `npm run test:live -- e2b` runs the same tests against the live service.
 */
export function describeHostedProvider(name: string, options: HostedContractOptions): void {
  const isLive = process.env[liveVariable] === name;
  const unset = isLive ? options.live.filter((variable) => !process.env[variable]) : [];
  const missing =
    unset.length > 0 ? `set ${unset.join(", ")} to use the live service` : isLive ? undefined : options.missing;
  const where = isLive ? " at the live service" : "";
  const title = `hosted sandboxes: ${name}${where}${missing === undefined ? "" : ` (left out: ${missing.replace(/\.$/, "")})`}`;
  const timeout = options.timeout ?? (isLive ? 1_200_000 : 120_000);
  describe.skipIf(missing !== undefined)(title, { timeout }, () => {
    let current: HostedUnderTest | undefined;
    beforeAll(async () => {
      current = await options.start(isLive);
    }, timeout);
    afterAll(() => current?.service?.close());
    const bench = makeBench(name, options, isLive, () => current!);

    test("declares what it can do as its scenario says", async () => {
      const provider = await bench.open();
      expect(provider.name).toBe(name);
      expect(provider.can).toEqual(options.can);
      await provider.dispose();
    });
    describeSessions(bench);
    describeFaults(bench);
    describeCrashes(bench);
  });
}
