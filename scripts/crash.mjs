// `npm run crash [-- --rounds N --seed N]`: a runtime, its sandboxes or both killed at random moments, again and again.
import { parseArgs } from "node:util";
import { runTests } from "./run-tests.mjs";
import { prepareTests } from "./setup.mjs";

const { values } = parseArgs({ options: { rounds: { type: "string" }, seed: { type: "string" } } });
const { rounds = "200", seed = String(Math.floor(Math.random() * 2 ** 31)) } = values;

await prepareTests();
console.log(`${rounds} rounds with seed ${seed}; again with: npm run crash -- --rounds ${rounds} --seed ${seed}`);
Object.assign(process.env, { SANDBOX_AGENT_CRASH_ROUNDS: rounds, SANDBOX_AGENT_CRASH_SEED: seed });
const { code } = await runTests(["packages/cli/src/runtime/kill-nine.e2e.test.ts"]);
console.log(`${code === 0 ? "held" : "broken"}: ${rounds} rounds with seed ${seed}`);
process.exitCode = code;
