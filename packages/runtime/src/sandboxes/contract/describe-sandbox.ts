import { afterAll, beforeAll, describe } from "vitest";
import { describeDaemon } from "./describe-daemon.ts";
import { describeIsolation } from "./describe-isolation.ts";
import { describeLife } from "./describe-life.ts";
import type { MakeProvider, ProviderUnderTest, SandboxContractOptions } from "./provider-under-test.ts";
import { makeBench } from "./sandbox-bench.ts";

export type { MakeProvider, ProviderUnderTest, SandboxContractOptions };

/**
 * Everything `SandboxProvider` promises, as tests with the real daemon. A provider is done when it passes them:
 *
 *     describeSandbox("docker", async () => {
 *       const provider = createDockerProvider({ … });
 *       return { provider, another: () => createDockerProvider({ … }), attachElsewhere, killDaemon, leftovers, destroy };
 *     }, { bundle: "packages/cli/dist" });
 *
 * What `can` says is held to: a provider that says it isolates is looked at from inside.
 */
export function describeSandbox(name: string, make: MakeProvider, options: SandboxContractOptions): void {
  describe(`sandboxes: ${name}`, { timeout: options.timeout ?? 120_000 }, () => {
    let current: ProviderUnderTest;
    beforeAll(async () => {
      current = await make();
    });
    afterAll(() => current?.destroy());

    const bench = makeBench(() => current, options);
    describeLife(bench);
    describeDaemon(bench);
    describeIsolation(bench);
  });
}
