// `npm test [-- arguments of vitest]`: install and build what is missing, then run every test.
import { writeFileSync } from "node:fs";
import { closingLine, tallyFileVariable } from "./closing-line-reporter.mjs";
import { runTests } from "./run-tests.mjs";
import { prepareTests } from "./setup.mjs";

await prepareTests();
const { code, tally } = await runTests(process.argv.slice(2));
const tallyFile = process.env[tallyFileVariable];
if (tallyFile) writeFileSync(tallyFile, JSON.stringify(tally));
console.log(closingLine(tally));
process.exitCode = code;
