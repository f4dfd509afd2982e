/** Feared: a test that fails, times out or is killed, and leaves a process behind that nobody knows. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { TestProcesses } from "./test-processes.ts";

const env = { PATH: process.env.PATH };

/** A zombie, which only waits to be noticed, does not run. */
function isRunning(pid: number): boolean {
  const file = `/proc/${pid}/status`;
  return existsSync(file) && !/^State:\s+Z/m.test(readFileSync(file, "utf8"));
}

describe.skipIf(!existsSync("/proc/self/environ"))("what a test started (needs /proc to be found)", () => {
  test("is gone at its end, with all that was started by it and lives on its own", async () => {
    const processes = new TestProcesses();
    const child = processes.spawn("/bin/sh", ["-c", "setsid sleep 1000 & echo $!"], { env });
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    const stubborn = processes.spawn("/bin/sh", ["-c", "trap '' TERM; echo; read _"], { env });
    await once(stubborn.stdout, "data");
    const pids = [Number(line), stubborn.pid!];
    expect(pids.map(isRunning)).toEqual([true, true]);
    await processes.end();
    expect(pids.map(isRunning)).toEqual([false, false]);
  });

  test.each(["SIGTERM", "SIGKILL"] as const)("is gone when the test's own process dies by %s", async (signal) => {
    const directory = mkdtempSync(join(tmpdir(), "sandbox-agent-testing-"));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const outfile = join(directory, "owner.mjs");
    const entry = fileURLToPath(new URL("test-processes-owner.ts", import.meta.url));
    await build({ entryPoints: [entry], outfile, bundle: true, platform: "node", format: "esm" });
    const owner = spawn(process.execPath, [outfile], { env, stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void owner.kill("SIGKILL"));
    const [line] = (await once(owner.stdout, "data")) as [Buffer];
    const pids = JSON.parse(line.toString()) as number[];
    expect(pids.map(isRunning)).toEqual([true, true, true]);
    owner.kill(signal);
    await vi.waitFor(() => expect(pids.map(isRunning)).toEqual([false, false, false]), 10_000);
  });
});

test("nothing is started after the end, which a test that timed out does not know of", async () => {
  const processes = new TestProcesses();
  await processes.end();
  expect(() => processes.spawn("sleep", ["1000"], { env })).toThrow("The test that starts sleep 1000 is over.");
});

test("a program that is not there does not hold up the end", async () => {
  const processes = new TestProcesses();
  const child = processes.spawn("/no/such/program", [], { env });
  await once(child, "error");
  await processes.end();
});
