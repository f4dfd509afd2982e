/** Feared: a pid that came again, or one that nobody has buried, is taken for the process that had it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { processStartTime, startTimeFromPs } from "./process-start-time.ts";

/** The pid of a process that ends when its parent is no shell any more, which would ask for it. */
async function startZombie(): Promise<number> {
  const child = 'until case "$(ps -o comm= -p $$)" in *sleep) true;; *) false;; esac; do :; done';
  const script = `( ${child} ) & echo $!; exec sleep 600`;
  const shell = spawn("sh", ["-c", script], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void shell.kill("SIGKILL"));
  const [line] = (await once(createInterface(shell.stdout), "line")) as [string];
  return Number(line);
}

describe.each([
  ["as this system tells it", processStartTime],
  ["as ps tells it", startTimeFromPs],
])("the start time of a process, %s,", (_, startTime) => {
  test("is the same whenever it is asked for", () => {
    expect(startTime(process.pid)).toEqual(expect.any(String));
    expect(startTime(process.pid)).toBe(startTime(process.pid));
  });

  test("is another one than that of another process", () => {
    expect(startTime(1)).not.toBe(startTime(process.pid));
  });

  test("is null when it has ended", async () => {
    const child = spawn(process.execPath, ["-e", ""]);
    const pid = child.pid ?? 0;
    await once(child, "exit");
    expect(startTime(pid)).toBeNull();
  });

  test("is null when it has ended and nobody has buried it", async () => {
    const pid = await startZombie();
    await vi.waitFor(() => expect(startTime(pid)).toBeNull(), 10_000);
    expect(() => process.kill(pid, 0)).not.toThrow();
  });
});

test("ps tells it the same to everybody", () => {
  const before = startTimeFromPs(process.pid);
  vi.stubEnv("TZ", "Asia/Tokyo");
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(startTimeFromPs(process.pid)).toBe(before);
});
