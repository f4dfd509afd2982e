/** Feared: two daemons on one data directory, or none, because a dead one still holds it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { heirPath } from "@sandbox-agent-ts/agents/process-identity";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { bundle } from "../__fixtures__/bundle.ts";
import { DaemonProcess } from "../__fixtures__/daemon-process.ts";
import { eventually } from "../__fixtures__/eventually.ts";
import { temporaryDirectory } from "../__fixtures__/temporary-directory.ts";
import { startTestDaemon } from "../__fixtures__/test-daemon.ts";
import { takeLock } from "./lock.ts";

const dead = JSON.stringify({ pid: 999_999_999, startTime: "x:1" });
const racerCount = 10;
const headStartMs = 15;

interface Racer {
  readonly child: ChildProcess;
  readonly lines: Interface;
}

describe("ten processes at once", () => {
  let racers: Racer[] = [];

  beforeAll(async () => {
    const program = await bundle("lock-racer");
    racers = Array.from({ length: racerCount }, () => {
      const child = spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "inherit"] });
      return { child, lines: createInterface(child.stdout!) };
    });
  });

  afterAll(() => {
    for (const { child } of racers) child.stdin?.end();
  });

  async function race(path: string): Promise<string[]> {
    const at = Date.now() + headStartMs;
    return Promise.all(
      racers.map(async ({ child, lines }) => {
        child.stdin?.write(`${JSON.stringify({ path, at })}\n`);
        return ((await once(lines, "line")) as [string])[0];
      }),
    );
  }

  const oneWinner = ["won", ...new Array(racerCount - 1).fill("lost")];

  test.each([
    ["a lock of a dead process", dead],
    ["a lock of a process that has this pid again", JSON.stringify({ pid: 1, startTime: "x:1" })],
    ["a lock that a power cut emptied", ""],
    ["a lock of garbage", "{"],
    ["no lock", undefined],
    ["a lock whose heir died before it could take over", dead, JSON.stringify({ pid: 999_999_998 })],
  ])("%s: exactly one wins", async (_what, stale, heir?: string) => {
    const directory = temporaryDirectory();
    for (let round = 0; round < 25; round++) {
      const path = join(directory, `${round}.lock`);
      if (stale !== undefined) writeFileSync(path, stale);
      if (stale !== undefined && heir !== undefined) writeFileSync(heirPath(path, stale), heir);
      expect(
        (await race(path)).toSorted((a, b) => b.localeCompare(a)),
        `round ${round}`,
      ).toEqual(oneWinner);
    }
    expect(readdirSync(directory)).toHaveLength(25);
  });
});

describe("a lock", () => {
  test("is taken once, says by whom, and is free again after its release", () => {
    const path = join(temporaryDirectory(), "lock");
    const release = takeLock(path, "/data");
    expect(() => takeLock(path, "/data")).toThrow(`/data is in use by the daemon with pid ${process.pid}.`);
    release();
    expect(existsSync(path)).toBe(false);
    takeLock(path, "/data")();
  });

  test("that another has by now is not given back by its former holder", () => {
    const path = join(temporaryDirectory(), "lock");
    const release = takeLock(path, "/data");
    writeFileSync(path, "somebody else's");
    release();
    expect(readFileSync(path, "utf8")).toBe("somebody else's");
  });

  test("leaves nothing else in its directory, taken or refused", () => {
    const directory = temporaryDirectory();
    const path = join(directory, "lock");
    writeFileSync(path, dead);
    takeLock(path, "/data");
    expect(() => takeLock(path, "/data")).toThrow();
    expect(readdirSync(directory)).toEqual(["lock"]);
  });
});

describe("two daemons on one data directory", () => {
  test("the second refuses with a sentence, whether in this process or another; the first goes on", async () => {
    const { client, dataDir } = await startTestDaemon();
    const sentence = `${dataDir} is in use by the daemon with pid ${process.pid}. Stop it, or start this one with another`;
    await expect(startTestDaemon({ dataDir })).rejects.toThrow(sentence);
    await expect(DaemonProcess.start({ dataDir })).rejects.toThrow(sentence);
    await client.create("s");
    await client.turn("s", "echo x");
  });

  test("a killed one makes room at once", async () => {
    const dataDir = temporaryDirectory();
    const first = await DaemonProcess.start({ dataDir });
    await first.client.create("s");
    await first.kill();
    const { client } = await DaemonProcess.start({ dataDir });
    expect((await client.info("s")).sessionId).toBe("s");
  });

  test("so does one that nobody has buried: a zombie holds nothing", async () => {
    const dataDir = temporaryDirectory();
    const options = JSON.stringify({ dataDir });
    // The shell starts the daemon and becomes a program that never waits for its children.
    const shell = spawn(
      "sh",
      ["-c", '"$0" "$1" "$2" & echo $!; exec sleep 600', process.execPath, await bundle("daemon-program"), options],
      {
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    onTestFinished(() => void shell.kill("SIGKILL"));
    const lines = createInterface(shell.stdout)[Symbol.asyncIterator]();
    const pid = Number((await lines.next()).value);
    await lines.next();
    process.kill(pid, "SIGKILL");
    await eventually(() => expect(readFileSync(`/proc/${pid}/stat`, "utf8")).toContain(") Z "));
    await startTestDaemon({ dataDir });
  });
});
