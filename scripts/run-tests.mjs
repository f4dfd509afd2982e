import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { sumOf, tallyFileVariable } from "./closing-line-reporter.mjs";
import { inRoot } from "./root.mjs";
import { runNode } from "./run.mjs";
import { testEnvironment } from "./test-environment.mjs";

const vitest = inRoot("node_modules/vitest/vitest.mjs");
const reporters = ["--reporter=default", `--reporter=${inRoot("scripts/closing-line-reporter.mjs")}`];
/** More failing files than these are no matter of a busy machine. */
const maxRepeatedFiles = 5;

/** Run vitest in a scrubbed environment; answers its exit code and how many tests did what. */
export async function runTests(args, run = runVitest) {
  const first = await run(args);
  const files = args.length === 0 ? filesToRepeat(first) : [];
  if (files.length === 0) return first;
  const names = files.map((file) => relative(inRoot(), file));
  console.log(`\nFailed beside others, run once more alone: ${names.join(", ")}`);
  const second = await run([...files, "--no-file-parallelism"]);
  const unsteady = files.filter((file) => second.tally.files?.[file]?.failed === 0);
  for (const file of unsteady)
    console.log(`Unsteady: ${relative(inRoot(), file)} failed beside others and passed alone.`);
  return { code: second.code, tally: { ...repeated(first.tally, second.tally, files), unsteady: unsteady.length } };
}

/** The files that all failures are in, if they are few. */
function filesToRepeat({ code, tally: { failed, files = {} } }) {
  const failing = Object.keys(files).filter((file) => files[file].failed > 0);
  const isAll = sumOf(failing.map((file) => files[file])).failed === failed;
  return code !== 0 && isAll && failing.length <= maxRepeatedFiles ? failing : [];
}

function repeated(first, second, files) {
  const others = Object.keys(first.files).filter((file) => !files.includes(file));
  return sumOf([...others.map((file) => first.files[file]), second]);
}

/** `isGiven`: variables of the environment that the tests get, too. */
export async function runVitest(args, isGiven) {
  const { env, dispose } = testEnvironment(process.env, isGiven);
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
