/**
 * `npm run crash [-- --rounds N --seed N]`: a runtime, its sandboxes or both killed at random moments, again and again. With
 * `--provider e2b [--sandboxes N]` in sandboxes at that service's stand-in; with `--provider all` at each.
 */
import { parseArgs } from "node:util";
import { hostedProviders, providersFolder } from "./gen/providers-under-contract.mjs";
import { runTests } from "./run-tests.mjs";
import { prepareTests } from "./setup.mjs";

const text = { type: "string" };
const { values } = parseArgs({ options: { rounds: text, sandboxes: text, seed: text, provider: text } });
const { rounds = "200", sandboxes = "50", provider, seed = String(Math.floor(Math.random() * 2 ** 31)) } = values;

await prepareTests();
Object.assign(process.env, {
  SANDBOX_AGENT_CRASH_ROUNDS: rounds,
  SANDBOX_AGENT_CRASH_SANDBOXES: sandboxes,
  SANDBOX_AGENT_CRASH_SEED: seed,
});
if (provider === undefined) {
  await crash(`--rounds ${rounds} --seed ${seed}`, ["packages/cli/src/runtime/kill-nine.e2e.test.ts"]);
} else {
  const names = provider === "all" ? hostedProviders() : [provider];
  for (const name of names) {
    const tests = [`${providersFolder}/${name}`, "-t", "after kills and losses"];
    await crash(`--provider ${name} --sandboxes ${sandboxes} --seed ${seed}`, tests);
  }
}

async function crash(options, tests) {
  console.log(`Again with: npm run crash -- ${options}`);
  const { code } = await runTests(tests);
  console.log(`${code === 0 ? "held" : "broken"}: ${options}`);
  process.exitCode ||= code;
}
