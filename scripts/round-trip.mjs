// `npm run round-trip [-- --files N --megabytes N]`: a large workspace kept, lost with its sandbox and restored.
import { parseArgs } from "node:util";
import { runTests } from "./run-tests.mjs";
import { prepareTests } from "./setup.mjs";

const { values } = parseArgs({ options: { files: { type: "string" }, megabytes: { type: "string" } } });
const { files = "10000", megabytes = "500" } = values;

await prepareTests();
Object.assign(process.env, { SANDBOX_AGENT_ROUND_TRIP_FILES: files, SANDBOX_AGENT_ROUND_TRIP_MEGABYTES: megabytes });
const { code } = await runTests(["packages/runtime/src/workspace/round-trip.e2e.test.ts"]);
process.exitCode = code;
