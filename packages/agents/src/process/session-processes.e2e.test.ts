import { spawn } from "node:child_process";
import { afterEach, describe, expect, test } from "vitest";
import { eventually } from "../contract/eventually.ts";
import { readProcStat } from "./proc-stat.ts";
import { endSessionProcesses, processClock, sessionMarkVariable } from "./session-processes.ts";

const why = process.platform === "linux" ? "" : " (skipped: there is no /proc)";
const started: number[] = [];
afterEach(() => {
  for (const pid of started.splice(0)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It is gone.
    }
  }
});

/** A shell that tells the pids of what it starts, one a line. */
async function run(mark: string, script: string, pids: number): Promise<number[]> {
  const env = { PATH: process.env.PATH!, [sessionMarkVariable]: mark };
  const shell = spawn("sh", ["-c", script], { env, detached: true, stdio: ["ignore", "pipe", "ignore"] });
  let text = "";
  shell.stdout.setEncoding("utf8").on("data", (piece: string) => {
    text += piece;
  });
  await eventually(() => expect(text.split("\n").length).toBeGreaterThan(pids));
  const found = text.trim().split("\n").map(Number);
  started.push(...found);
  return found;
}

/** A zombie is not: whose child it became may take its time. */
const isAlive = (pid: number): boolean => readProcStat(pid)?.isDead === false;

describe.skipIf(why !== "")(`processes of a session${why}`, () => {
  test("end, also those that left the group, forked twice and refuse SIGTERM, and nobody else's", async () => {
    const forks = `setsid sh -c 'echo $$; exec sleep 300' & (sh -c 'trap "" TERM; echo $$; while :; do sleep 1; done' &)`;
    const own = await run("mark-1", `${forks}; exec 1>&-; sleep 300`, 2);
    const [other] = await run("mark-11", "echo $$; exec sleep 300", 1);
    await endSessionProcesses("mark-1");
    expect(own.filter(isAlive)).toEqual([]);
    expect(isAlive(other!)).toBe(true);
  });

  test("that were there before a moment stay, with what they start after it", async () => {
    const [before] = await run("mark-2", "echo $$; while :; do sleep 0.05; done", 1);
    // The clock of processes counts in hundredths of a second.
    const since = processClock() + 1;
    await eventually(() => expect(processClock()).toBeGreaterThan(since));
    const [after] = await run("mark-2", "echo $$; exec sleep 300", 1);
    await endSessionProcesses("mark-2", { since });
    expect([isAlive(before!), isAlive(after!)]).toEqual([true, false]);
    await endSessionProcesses("mark-2");
    expect(isAlive(before!)).toBe(false);
  });

  test("that did not leave the process that knows them stay", async () => {
    const script = "echo $$; sh -c 'echo $$; exec sleep 300' & setsid -f sh -c 'echo $$; exec sleep 300'; wait";
    const pids = await run("mark-3", script, 3);
    const [root] = pids;
    await endSessionProcesses("mark-3", { leftOf: root! });
    expect(pids.filter(isAlive)).toHaveLength(2);
    await endSessionProcesses("mark-3");
    expect(pids.filter(isAlive)).toEqual([]);
  });
});
