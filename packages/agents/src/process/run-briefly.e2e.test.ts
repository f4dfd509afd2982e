/** Feared: a program that was only asked for its version, and what it started, run on for ever. */
import { expect, test, vi } from "vitest";
import { isAlive } from "./__fixtures__/fake-agent.ts";
import { runBriefly } from "./run-briefly.ts";

const run = (script: string, limits: { timeoutMs?: number; maxOutputBytes?: number } = {}) =>
  runBriefly({
    command: "sh",
    args: ["-c", script],
    env: { PATH: process.env.PATH },
    timeoutMs: 60_000,
    maxOutputBytes: 1000,
    ...limits,
  });

test("what it says is told, and how it failed", async () => {
  expect(await run("echo out; echo err >&2")).toEqual({ stdout: "out\n", stderr: "err\n" });
  expect(await run("exit 3")).toMatchObject({ failure: "it exited with 3" });
  expect(await run("kill -9 $$")).toMatchObject({ failure: "it was ended by SIGKILL" });
  const missing = { command: "/nowhere/x", args: [], env: {}, timeoutMs: 60_000, maxOutputBytes: 1 };
  expect((await runBriefly(missing)).failure).toContain("it cannot be started");
});

test.each([
  ["that hangs", "sleep 600 & echo $!; wait", { timeoutMs: 1_000 }, "it did not answer within 1 s"],
  ["that never stops talking", "sleep 600 & echo $!; yes", {}, "it wrote more than 1000 bytes"],
  ["that leaves something behind", "sleep 600 & echo $!", {}, undefined],
])("one %s is gone with all it started", async (_what, script, limits, failure) => {
  const result = await run(script, limits);
  expect(result.failure).toBe(failure);
  const started = Number(result.stdout.split("\n", 1)[0]);
  expect(started).toBeGreaterThan(0);
  await vi.waitFor(() => expect(isAlive(started)).toBe(false));
});
