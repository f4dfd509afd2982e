import { dirname } from "node:path";
import { beforeAll, describe } from "vitest";
import { buildCli, cliBundle } from "../../../../../scripts/setup.mjs";
import { describeSandbox } from "../contract/describe-sandbox.ts";
import { localUnderTest } from "./__fixtures__/local-under-test.ts";
import { findBubblewrap } from "./bubblewrap.ts";

beforeAll(() => buildCli(), 300_000);

const options = { bundle: dirname(cliBundle) };

describeSandbox("local, plain", () => localUnderTest({ isolation: "none" }), options);

const bubblewrap = findBubblewrap();
const missing = "problem" in bubblewrap ? ` (left out: ${bubblewrap.problem})` : "";
describe.skipIf(missing !== "")(`with bubblewrap${missing}`, () =>
  describeSandbox("local, bubblewrap", () => localUnderTest({ isolation: "bubblewrap" }), options),
);
