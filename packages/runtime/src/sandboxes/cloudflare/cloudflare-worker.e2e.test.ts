// The Worker of examples/cloudflare in the real workerd, its containers on a real Docker engine.
import { dirname } from "node:path";
import { beforeAll, describe } from "vitest";
import { buildCli, cliBundle } from "../../../../../scripts/setup.mjs";
import { describeSandbox } from "../contract/describe-sandbox.ts";
import { type TestEngine, testEngine } from "../docker/__fixtures__/test-engine.ts";
import { cloudflareUnderTest } from "./__fixtures__/cloudflare-under-test.ts";
import { startRealWorker } from "./__fixtures__/real-worker.ts";

beforeAll(() => buildCli(), 300_000);

const engine = await testEngine();
const missing = "problem" in engine ? ` (left out: ${engine.problem})` : "";

describe.skipIf(missing !== "")(`in workerd, with containers of a real engine${missing}`, () =>
  describeSandbox("cloudflare", async () => cloudflareUnderTest(await startRealWorker(engine as TestEngine)), {
    bundle: dirname(cliBundle),
  }),
);
