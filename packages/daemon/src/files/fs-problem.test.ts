import { SandboxError } from "@sandbox-agent-ts/protocol";
import { expect, test } from "vitest";
import { fsProblem } from "./fs-problem.ts";

const errno = (code: string) => Object.assign(new Error(`${code}: open '/proc/self/fd/7/name'`), { code });

test.each([
  ["ENOENT", "not_found", "nothing at"],
  ["EACCES", "permission_denied", "no permission"],
  ["EPERM", "permission_denied", "does not permit"],
  ["EROFS", "permission_denied", "read-only"],
  ["ENAMETOOLONG", "invalid_request", "too long"],
  ["ELOOP", "invalid_request", "circle of symlinks"],
  ["ENOTDIR", "invalid_request", "not a directory"],
  ["EISDIR", "invalid_request", "is a directory"],
  ["ENOSPC", "internal_error", "disk is full"],
  ["EDQUOT", "internal_error", "disk is full"],
  ["EMFILE", "internal_error", "Too many files"],
])("%s is %s", (code, expected, words) => {
  const cause = errno(code);
  const problem = fsProblem(cause, "a/b");
  expect(problem).toMatchObject({ code: expected, cause });
  expect(problem.message).toContain(words);
  expect(problem.message).toContain('"a/b"');
  expect(problem.message).not.toContain("/proc");
});

test("what is already a problem stays as it is, and what is unknown is ours", () => {
  const known = new SandboxError("not_found", "x");
  expect(fsProblem(known, "p")).toBe(known);
  expect(fsProblem(new TypeError("odd"), "p")).toMatchObject({ code: "internal_error" });
});

test("a hostile path is printed short and without control characters", () => {
  const { message } = fsProblem(errno("ENOENT"), `\u001b[2J\n${"x".repeat(5000)}`);
  expect(message).toContain("\\u001b[2J\\n");
  expect(message.length).toBeLessThan(400);
});
