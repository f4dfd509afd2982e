import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { RuntimeLimits } from "../../../sessions/runtime-deps.ts";
import { openProvider } from "../../registry.ts";
import type { SandboxProvider } from "../../sandbox-provider.ts";
import { type HostedFeature, hostedFeatures } from "./hosted-features.ts";
import type { HostedContractOptions, HostedUnderTest, ServiceUnderTest } from "./hosted-under-test.ts";
import { SuiteRuntime } from "./suite-runtime.ts";

/** What every test of the suite has. */
export interface HostedBench {
  readonly name: string;
  readonly options: HostedContractOptions;
  readonly isLive: boolean;
  readonly current: HostedUnderTest;
  /** The fake service; tests that need it are left out with the live one. */
  readonly service: ServiceUnderTest;
  open(): Promise<SandboxProvider>;
  start(limits?: Partial<RuntimeLimits>): Promise<SuiteRuntime>;
  /** The test of a feature, left out with its reason in the title where there is one. */
  test(feature: HostedFeature, work: () => Promise<void>, needs?: TestNeeds): void;
}

interface TestNeeds {
  /** It can only be seen where the service is told what to do. */
  readonly service?: boolean;
  /** Milliseconds, in the place of the suite's own. */
  readonly timeout?: number;
}

export function makeBench(
  name: string,
  options: HostedContractOptions,
  isLive: boolean,
  current: () => HostedUnderTest,
): HostedBench {
  const bench: HostedBench = {
    name,
    options,
    isLive,
    get current() {
      return current();
    },
    get service() {
      return current().service!;
    },
    async open() {
      const { open = (given) => openProvider(name, given) } = options;
      const directory = realpathSync(mkdtempSync(join(tmpdir(), "hosted-provider-")));
      onTestFinished(() => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }));
      return open({ directory, settings: current().settings });
    },
    start: (limits = {}) => SuiteRuntime.start({ open: () => bench.open(), bundle: options.bundle, limits }),
    test(feature, work, { service: needsService = false, timeout } = {}) {
      const why =
        options.leftOut?.[feature] ?? (needsService && isLive ? "only a made-up service does that" : undefined);
      const title = `${hostedFeatures[feature].title}${why === undefined ? "" : ` (left out: ${why.replace(/\.$/, "")})`}`;
      test.skipIf(why !== undefined)(title, timeout === undefined ? {} : { timeout }, async () => {
        try {
          await work();
        } finally {
          current().service?.faults.clear();
        }
      });
    },
  };
  return bench;
}

/** In the books there is no machine any more, and nothing was billed that should not be. */
export async function expectNothingLeft({ service, isLive }: HostedBench): Promise<void> {
  if (isLive) return;
  await expect.poll(() => service.ledger.alive.map(({ id }) => id), { timeout: 30_000 }).toEqual([]);
  expect(service.ledger.running).toEqual([]);
  expect([...service.boxes.keys()]).toEqual([]);
}
