import { writeFileSync } from "node:fs";

/** Environment variable that names the file the tally goes to; without it the closing line is printed at exit. */
export const tallyFileVariable = "SANDBOX_AGENT_TEST_TALLY";

/** The last line of a test run. */
export function closingLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

/** Counts tests; a file that could not run at all and an error outside of any test are failures too. */
export function tallyOf(testModules, unhandledErrors) {
  const tally = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
  for (const testModule of testModules) {
    for (const test of testModule.children.allTests()) tally[outcome(test.result().state)] += 1;
    tally.failed += ownErrors(testModule);
  }
  return tally;
}

/** A test that never got to run (`pending`) must not look like one that was left out on purpose. */
const outcome = (state) => (state === "pending" ? "failed" : state);

function ownErrors(testModule) {
  const suites = [...testModule.children.allSuites()];
  return testModule.errors().length + suites.reduce((sum, suite) => sum + suite.errors().length, 0);
}

export default class ClosingLineReporter {
  onTestRunEnd(testModules, unhandledErrors) {
    const tally = tallyOf(testModules, unhandledErrors);
    const file = process.env[tallyFileVariable];
    if (file) writeFileSync(file, JSON.stringify(tally));
    else process.once("exit", () => console.log(closingLine(tally)));
  }
}
