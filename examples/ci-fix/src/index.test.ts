import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";

const run = promisify(execFile);
const timeout = 60_000;
const wrong = "export const sum = (a, b) => a - b;\n";
let project: string;

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "ci-fix-"));
  writeFileSync(join(project, "sum.mjs"), wrong);
  const check = 'import { sum } from "./sum.mjs";\nif (sum(1, 2) !== 3) throw new Error("1 + 2 is 3");\n';
  writeFileSync(join(project, "sum.test.mjs"), check);
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

const fix = (env = {}) =>
  run("npm", ["start", "--silent", "--", project, "node sum.test.mjs"], { env: { ...process.env, ...env } });

test("goes on until the command passes, and prints the patch alone", { timeout }, async () => {
  const { stdout, stderr } = await fix();
  expect(stderr).toContain("Attempt 1 of 3: still fails.");
  expect(stderr).toContain("Attempt 2 of 3: passes.");
  expect(stdout).toContain("-export const sum = (a, b) => a - b;\n+export const sum = (a, b) => a + b;\n");
  const again = await fix();
  expect(again).toMatchObject({ stdout: "", stderr: expect.stringContaining("there is nothing to fix") });
});

test("gives up after as many attempts as it may have", { timeout }, async () => {
  await expect(fix({ MAX_ATTEMPTS: "1" })).rejects.toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("Attempt 1 of 1: still fails."),
  });
  expect(readFileSync(join(project, "sum.mjs"), "utf8")).toBe(wrong);
});
