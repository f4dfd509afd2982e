import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);

test("a session runs from its first word to the end of its sandbox", { timeout: 60_000 }, async () => {
  const { stdout } = await run("npm", ["start"]);
  expect(stdout).toContain("allowed: Run the command echo hello from the sandbox");
  expect(stdout).toContain("It printed: hello from the sandbox");
  expect(stdout).toContain("+Written from outside.");
  expect(await readdir("data/sandboxes")).toEqual([]);
});
