import { readFileSync } from "node:fs";
import { join } from "node:path";
import { tallyFileVariable } from "./closing-line-reporter.mjs";
import { inRoot } from "./root.mjs";
import { runNode } from "./run.mjs";
import { testEnvironment } from "./test-environment.mjs";

const vitest = inRoot("node_modules/vitest/vitest.mjs");
const reporters = ["--reporter=default", `--reporter=${inRoot("scripts/closing-line-reporter.mjs")}`];

/** Run vitest in a scrubbed environment; answers its exit code and how many tests did what. */
export async function runTests(args) {
  const { env, dispose } = testEnvironment(process.env);
  const tallyFile = join(env.HOME, "tally.json");
  try {
    const code = await runNode([vitest, "run", ...reporters, ...args], {
      env: { ...env, [tallyFileVariable]: tallyFile },
    });
    return { code, tally: readTally(tallyFile, code) };
  } finally {
    dispose();
  }
}

/** A run that failed without a failing test (it never began, or ended early) is one failure, never silence. */
export function readTally(file, code) {
  const tally = parseTally(file) ?? { passed: 0, failed: 0, skipped: 0 };
  if (code !== 0 && tally.failed === 0) tally.failed = 1;
  return tally;
}

function parseTally(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}
