import { dirname } from "node:path";
import { beforeAll, describe } from "vitest";
import { buildCli, cliBundle } from "../../../../../scripts/setup.mjs";
import { describeSandbox } from "../contract/describe-sandbox.ts";
import { dockerUnderTest } from "./__fixtures__/docker-under-test.ts";
import { type TestEngine, testEngine } from "./__fixtures__/test-engine.ts";

beforeAll(() => buildCli(), 300_000);

const engine = await testEngine();
const missing = "problem" in engine ? ` (left out: ${engine.problem})` : "";

describe.skipIf(missing !== "")(`on a real engine${missing}`, () =>
  describeSandbox("docker", async () => dockerUnderTest(engine as TestEngine), {
    bundle: dirname(cliBundle),
    timeout: 240_000,
  }),
);
