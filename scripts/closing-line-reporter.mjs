import { writeFileSync } from "node:fs";

/** Environment variable that names the file the tally goes to; without it the closing line is printed at exit. */
export const tallyFileVariable = "SANDBOX_AGENT_TEST_TALLY";

/** The last line of a test run. */
export function closingLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

/**
 * Counts tests, in all and per file; a file that could not run at all and an error outside of any test are failures too.
 * An error that no file is known for counts in all only.
 */
export function tallyOf(testModules, unhandledErrors) {
  const files = {};
  for (const testModule of testModules) {
    const tally = { passed: 0, failed: ownErrors(testModule), skipped: 0 };
    for (const test of testModule.children.allTests()) tally[outcome(test.result().state)] += 1;
    files[testModule.moduleId] = tally;
  }
  const total = sumOf(Object.values(files));
  for (const { VITEST_TEST_PATH: file } of unhandledErrors) {
    total.failed += 1;
    if (files[file]) files[file].failed += 1;
  }
  return { ...total, files };
}

export function sumOf(tallies) {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const tally of tallies) for (const name of Object.keys(sum)) sum[name] += tally[name];
  return sum;
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
