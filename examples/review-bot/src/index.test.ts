import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { commentsIn } from "./comments.ts";

const run = promisify(execFile);
let project: string;
const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.example", ...args], { cwd: project });

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "review-bot-"));
  git("init", "--quiet");
  writeFileSync(join(project, "hello.js"), "export const hello = 1;\n");
  git("add", ".");
  git("commit", "--quiet", "--message", "one");
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

test("comments to the lines that a change adds, as JSON, and changes nothing", { timeout: 60_000 }, async () => {
  const changed = 'export const hello = 1;\nconsole.log("hello");\n';
  writeFileSync(join(project, "hello.js"), changed);
  const { stdout } = await run("npm", ["start", "--silent", "--", project, "HEAD"]);
  expect(JSON.parse(stdout)).toEqual([
    { path: "hello.js", line: 2, comment: "Use the logger: console.log has no level." },
  ]);
  expect(readFileSync(join(project, "hello.js"), "utf8")).toBe(changed);
});

const diff = "--- a/a.js\n+++ b/a.js\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n";
const answer = (comments: object[]) => `Done.\n\`\`\`json\n${JSON.stringify(comments)}\n\`\`\``;

test("a comment to another line is left out, and an answer without JSON is an error", () => {
  const right = { path: "a.js", line: 2, comment: "why" };
  expect(commentsIn(answer([right, { path: "a.js", line: 1, comment: "old" }]), diff)).toEqual([right]);
  expect(commentsIn(answer([]), diff)).toEqual([]);
  expect(() => commentsIn("All is well.", diff)).toThrow("without a block of JSON");
});
