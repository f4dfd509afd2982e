// `npm run test:live -- <provider>`: the suite of a provider of sandboxes on its live service, with an account of your own.
import { hostedProviders, loadScenarios, providersFolder } from "./gen/providers-under-contract.mjs";
import { runTests, runVitest } from "./run-tests.mjs";

const [name = ""] = process.argv.slice(2);
if (hostedProviders().includes(name)) await testLive(name);
else stop(`Name one of these providers: npm run test:live -- ${hostedProviders().join("|")}`);

async function testLive(provider) {
  const scenarios = await loadScenarios(provider);
  const live = [...new Set(scenarios.flatMap(({ scenario }) => scenario.live))];
  const missing = live.filter((variable) => !process.env[variable]);
  if (missing.length > 0) return stop(`Set ${missing.join(", ")} to use the live service of ${provider}.`);
  console.log(`Sandboxes are made at ${provider} with your account, which may cost money, and ended afterwards.`);
  process.env.SANDBOX_AGENT_TEST_LIVE = provider;
  // Also what else the service's own SDK reads, e.g. which of its regions is meant.
  const prefixes = [...live.map((variable) => variable.split("_")[0]), "SANDBOX_AGENT_TEST_LIVE"];
  const isGiven = (variable) => prefixes.some((prefix) => variable === prefix || variable.startsWith(`${prefix}_`));
  const { code } = await runTests([`${providersFolder}/${provider}`, "-t", "at the live service"], (args) =>
    runVitest(args, isGiven),
  );
  process.exitCode = code;
}

function stop(sentence) {
  console.error(sentence);
  process.exitCode = 2;
}
