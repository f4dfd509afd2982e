import { expect, test } from "vitest";
import type { ProcessExit } from "./agent-process.ts";
import { exitError, lastWords } from "./exit-error.ts";

const quiet: ProcessExit = { exitCode: 3, signal: null, stderr: {} as ProcessExit["stderr"] };
const sentence = (how: string) => `It ended (${how}). Try again.`;

test.each([
  [quiet, "exit code 3"],
  [{ ...quiet, exitCode: null, signal: "SIGKILL" } as const, "it got SIGKILL"],
  [{ ...quiet, spawnError: new Error("ENOENT") }, "ENOENT"],
  [
    { ...quiet, exitCode: null, signal: "SIGTERM", outputError: new Error("no JSON") } as const,
    "it was ended because its output could not be read: no JSON",
  ],
])("it is said how a process ended: %j", (exit, how) => {
  const error = exitError(exit, sentence, { agent: "a", sessionId: "s" });
  expect(error).toMatchObject({ code: "agent_process_exited", agent: "a", sessionId: "s" });
  expect(error.message).toBe(`It ended (${how}). Try again.`);
  expect(error.details).toMatchObject({ exitCode: exit.exitCode, signal: exit.signal });
});

test("the last words are on one line, without noise, and not too many", () => {
  const stderr = { head: "first", tail: "\nnoise 1\n  a  \n b\n" } as ProcessExit["stderr"];
  expect(lastWords({ ...quiet, stderr }, (line) => line.startsWith("noise"))).toBe(": a b");
  expect(lastWords(quiet)).toBe("");
  const long = { tail: `${"x".repeat(2000)}end` } as ProcessExit["stderr"];
  expect(lastWords({ ...quiet, stderr: long })).toMatch(/^: x{497}end$/);
});
