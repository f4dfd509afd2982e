/** Feared: two daemons on one data directory, or none, because a dead one still holds it. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { heirPath, processStartTime } from "@sandbox-agent-ts/agents/process-identity";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { bundle } from "../__fixtures__/bundle.ts";
import { DaemonProcess } from "../__fixtures__/daemon-process.ts";
import { eventually } from "../__fixtures__/eventually.ts";
import { temporaryDirectory } from "../__fixtures__/temporary-directory.ts";
import { startTestDaemon } from "../__fixtures__/test-daemon.ts";
import { openLifeSocket } from "./life-socket.ts";
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
    expect(readdirSync(directory).filter((name) => name.endsWith(".lock"))).toHaveLength(25);
    expect(readdirSync(directory)).toHaveLength(50);
  });
});

describe("a lock", () => {
  test("is taken once, says by whom, and is free again after its release", async () => {
    const directory = temporaryDirectory();
    const path = join(directory, "lock");
    const release = await takeLock(path, "/data");
    await expect(takeLock(path, "/data")).rejects.toThrow(`/data is in use by the daemon with pid ${process.pid}.`);
    release();
    expect(readdirSync(directory)).toEqual([]);
    (await takeLock(path, "/data"))();
  });

  test("that another has by now is not given back by its former holder", async () => {
    const path = join(temporaryDirectory(), "lock");
    const release = await takeLock(path, "/data");
    writeFileSync(path, "somebody else's");
    release();
    expect(readFileSync(path, "utf8")).toBe("somebody else's");
  });

  test("leaves only its socket beside it, taken or refused, whatever the length of its path", async () => {
    const directory = join(temporaryDirectory(), "long".repeat(40));
    mkdirSync(directory);
    const path = join(directory, "lock");
    writeFileSync(path, dead);
    const release = await takeLock(path, "/data");
    await expect(takeLock(path, "/data")).rejects.toThrow();
    expect(readdirSync(directory)).toEqual(["lock", expect.stringMatching(/^lock\.\w+\.sock$/)]);
    release();
  });
});

describe("a lock of another pid namespace", () => {
  const elsewhere = (more: object) => {
    const startTime = processStartTime(process.pid);
    return JSON.stringify({ pid: process.pid, startTime, namespace: "pid:[1]", ...more });
  };

  test.skipIf(process.platform !== "linux")(
    "counts as held while its holder listens, and not a moment longer (Linux only)",
    async () => {
      const path = join(temporaryDirectory(), "lock");
      const life = (await openLifeSocket(path))!;
      writeFileSync(path, elsewhere({ socket: life.name }));
      await expect(takeLock(path, "/data")).rejects.toThrow("/data is in use by a daemon in another container.");
      life.close();
      (await takeLock(path, "/data"))();
    },
  );

  test.skipIf(process.platform !== "linux")(
    "whose holder cannot be asked counts as held, and says what to do (Linux only)",
    async () => {
      const path = join(temporaryDirectory(), "lock");
      writeFileSync(path, elsewhere({}));
      await expect(takeLock(path, "/data")).rejects.toThrow(`If none runs there any more, remove ${path}.`);
    },
  );
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

  const unshare = ["--pid", "--fork", "--mount-proc", "--kill-child"];
  const mayUnshare = spawnSync("unshare", [...unshare, "true"]).status === 0;
  const unless = mayUnshare ? "" : " (not here: this user may not make pid namespaces)";

  test.skipIf(!mayUnshare)(`in two containers: the second refuses until the first is killed${unless}`, async () => {
    const dataDir = temporaryDirectory();
    const first = await DaemonProcess.start({ dataDir, within: ["unshare", ...unshare] });
    const second = () => DaemonProcess.start({ dataDir, within: ["unshare", ...unshare] });
    await expect(second()).rejects.toThrow(`${dataDir} is in use by a daemon in another container.`);
    await expect(startTestDaemon({ dataDir })).rejects.toThrow(
      `${dataDir} is in use by a daemon in another container.`,
    );
    await first.client.create("s");
    await first.client.turn("s", "echo x");
    await first.kill();
    const { client } = await vi.waitFor(second, 10_000);
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
