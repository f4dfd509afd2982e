// `npm run check`: every static check, without the tests.
import { runChecks } from "./checks.mjs";
import { closingLine } from "./closing-line-reporter.mjs";
import { prepare } from "./setup.mjs";

await prepare();
const { passed, failed } = await runChecks();
console.log(closingLine({ passed, failed: failed.length, skipped: 0 }));
process.exitCode = failed.length > 0 ? 1 : 0;
