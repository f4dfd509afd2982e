/**
 * `npm run crash [-- --rounds N --seed N]`: a runtime, its sandboxes or both killed at random moments, again and again. With
 * `--provider e2b [--sandboxes N]` in sandboxes at that service's stand-in; with `--provider all` at each.
 */
import { parseArgs } from "node:util";
import { hostedProviders, providersFolder } from "./gen/providers-under-contract.mjs";
import { runTests } from "./run-tests.mjs";
import { prepareTests, stop } from "./setup.mjs";

const { rounds = "200", sandboxes = "50", provider, seed = String(Math.floor(Math.random() * 2 ** 31)) } = flags();

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
  const { code, tally } = await runTests(tests);
  // Tests that are left out are no failure to vitest.
  const hasHeld = code === 0 && tally.passed > 0;
  console.log(`${hasHeld ? "held" : "broken"}: ${options}`);
  process.exitCode ||= hasHeld ? 0 : code || 1;
}

function flags() {
  const text = { type: "string" };
  try {
    const { values } = parseArgs({ options: { rounds: text, sandboxes: text, seed: text, provider: text } });
    const known = ["all", ...hostedProviders()];
    if (values.provider === undefined || known.includes(values.provider)) return values;
    return stop(`--provider is one of ${known.join(", ")}, not ${values.provider}.`);
  } catch (error) {
    return stop(`${error.message} There are --rounds N, --seed N, --provider NAME and --sandboxes N.`);
  }
}
