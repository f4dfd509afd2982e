// `npm run verify`: every static check, all of them even when one fails, then `npm test`; one closing line for both.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runChecks } from "./checks.mjs";
import { closingLine, tallyFileVariable } from "./closing-line-reporter.mjs";
import { runNpm } from "./run.mjs";
import { readTally } from "./run-tests.mjs";
import { prepare } from "./setup.mjs";

await prepare();
const { passed, failed } = await runChecks();

const folder = mkdtempSync(join(tmpdir(), "sandbox-agent-verify-"));
const tallyFile = join(folder, "tally.json");
const code = await runNpm(["test"], { env: { ...process.env, [tallyFileVariable]: tallyFile } });
const tests = readTally(tallyFile, code);
rmSync(folder, { recursive: true });

if (failed.length > 0) console.log(`Checks that failed: ${failed.join(", ")}`);
console.log(closingLine({ ...tests, passed: passed + tests.passed, failed: failed.length + tests.failed }));
process.exitCode = failed.length > 0 ? 1 : code;
