// `npm run verify`: every check there is, all of them even when one fails, and the tests last.
import { closingLine } from "./closing-line-reporter.mjs";
import { inRoot } from "./root.mjs";
import { runNode } from "./run.mjs";
import { runTests } from "./run-tests.mjs";
import { prepare, prepareTests } from "./setup.mjs";

const checks = [
  ["format and lint", ["node_modules/@biomejs/biome/bin/biome", "ci", "."]],
  ["types", ["node_modules/typescript/bin/tsc", "-b"]],
  ["promises", ["node_modules/eslint/bin/eslint.js", "."]],
  ["dead code", ["node_modules/knip/bin/knip.js", "--no-progress"]],
  ["boundaries", ["scripts/boundaries.mjs"]],
  ["generated files", ["scripts/gen.mjs", "--check"]],
];

await prepare();
const failures = [];
for (const [name, [script, ...args]] of checks) {
  console.log(`▸ ${name}`);
  if ((await runNode([inRoot(script), ...args])) !== 0) failures.push(name);
}

console.log("▸ tests");
await prepareTests();
const { code, tally } = await runTests([]);
if (failures.length > 0) console.log(`Checks that failed: ${failures.join(", ")}`);
console.log(closingLine({ ...tally, failed: tally.failed + failures.length }));
process.exitCode = failures.length > 0 ? 1 : code;
