import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./scripts/longest-first.ts";

/** Tests of agents mostly wait for a program, so that two of them share a core well. */
const workers = 2 * availableParallelism();

export default defineConfig({
  resolve: { conditions: ["@sandbox-agent-ts/source"] },
  ssr: { resolve: { conditions: ["@sandbox-agent-ts/source"], externalConditions: ["@sandbox-agent-ts/source"] } },
  test: {
    include: [
      "packages/*/src/**/*.test.ts",
      "apps/*/src/**/*.test.ts",
      "scripts/**/*.test.ts",
      "resources/**/*.test.ts",
    ],
    globalSetup: ["scripts/docker-engine-setup.mjs"],
    pool: "forks",
    maxWorkers: workers,
    sequence: { sequencer: LongestFirst },
    // Not how long anything may take, but when nothing more is expected of a machine that does four such things at once.
    testTimeout: 90_000,
    hookTimeout: 90_000,
  },
});
