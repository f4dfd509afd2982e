import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inRoot } from "../root.mjs";
import { captureNode } from "../run.mjs";
import { testEnvironment } from "../test-environment.mjs";

const vitest = inRoot("node_modules/vitest/vitest.mjs");

/**
 * Runs an agent's contract suite (`only`: the tests whose title matches) with further variables; answers what passed, what
 * broke and why, and where all lines of the program are.
 */
export async function runSuite({ file, variables = {}, only, linesDirectory }) {
  const directory = mkdtempSync(join(tmpdir(), "sandbox-agent-radar-suite-"));
  const { env, dispose } = testEnvironment(process.env);
  const report = join(directory, "report.json");
  const filter = only === undefined ? [] : ["--testNamePattern", only];
  const args = [vitest, "run", file, "--reporter=json", `--outputFile=${report}`, ...filter];
  try {
    const { output } = await captureNode(args, {
      env: { ...env, ...variables, SANDBOX_AGENT_KEEP_LINES: linesDirectory },
    });
    return readReport(report) ?? { passed: 0, skipped: 0, broke: [], failure: lastLines(output) };
  } finally {
    dispose();
    rmSync(directory, { recursive: true, force: true });
  }
}

function readReport(file) {
  let report;
  try {
    report = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  const inFiles = report.testResults.flatMap(({ message }) => (message ? [firstLine(message)] : []));
  const broke = tests.filter(({ status }) => status === "failed").map(brokenTest);
  const passed = tests.filter(({ status }) => status === "passed").length;
  const failure = passed + broke.length === 0 ? (inFiles[0] ?? "no test ran") : undefined;
  return { passed, skipped: tests.length - passed - broke.length, broke, ...(failure && { failure }) };
}

const brokenTest = ({ title, failureMessages }) => ({ test: title, reason: firstLine(failureMessages[0] ?? "") });
/** An assertion about a whole stream is a page in one line. */
const firstLine = (text) => text.split("\n", 1)[0].trim().slice(0, 300);
const lastLines = (text) => text.trim().split("\n").slice(-3).join(" ");
