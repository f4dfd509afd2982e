import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fakeAgentPath, isAlive, silentLog, startFakeAgent } from "./__fixtures__/fake-agent.ts";
import { createSupervisor, type Supervisor } from "./supervisor.ts";

const MiB = 1024 * 1024;

let recordDir: string;
let supervisor: Supervisor;
beforeEach(() => {
  recordDir = mkdtempSync(join(tmpdir(), "supervisor-"));
  supervisor = createSupervisor({ recordDir, owner: `test-${process.pid}`, log: silentLog });
});
afterEach(async () => {
  await supervisor.close();
  rmSync(recordDir, { recursive: true });
});

describe("output", () => {
  test("a character torn between two writes arrives intact", async () => {
    const agent = startFakeAgent(supervisor);
    expect(await agent.ask("half-char")).toBe("né€😀!");
  });

  test("20,000 lines arrive in order, many to a call", async () => {
    const numbers: number[] = [];
    let calls = 0;
    const agent = startFakeAgent(supervisor, {
      onLines(lines) {
        calls += 1;
        for (const line of lines) {
          const text = /"text":"(\d+)x*"/.exec(line)?.[1];
          if (text) numbers.push(Number(text));
          if (line.includes('"done"')) agent.process.endInput();
        }
      },
    });
    await agent.prompt("flood 20000 20");
    expect((await agent.process.exited).exitCode).toBe(0);
    expect(numbers).toEqual(Array.from({ length: 20_000 }, (_, index) => index + 1));
    expect(calls).toBeLessThan(2_000);
  });

  test("a line of 50 MB passes a bound of 64 MiB", async () => {
    const agent = startFakeAgent(supervisor, { maxLineBytes: 64 * MiB });
    await agent.ask("long-line 50");
    const longest = Math.max(...agent.lines.map((line) => line.length));
    expect(longest).toBe(50 * MiB);
  });

  test("with a bound of 1 MiB it is reported, and the next line still arrives", async () => {
    const reported: { bytes: number; head: string }[] = [];
    const agent = startFakeAgent(supervisor, { maxLineBytes: MiB, onOversizedLine: (line) => reported.push(line) });
    expect(await agent.ask("long-line 50")).toBe("after");
    expect(reported.map(({ bytes, head }) => [bytes, head.length])).toEqual([[50 * MiB, 1024]]);
    expect(reported[0]?.head.startsWith('{"type":"text_delta","item":"m1","text":"xxx')).toBe(true);
  });

  test("a last line without newline counts when the program ends well, and not when it dies", async () => {
    const endings = await Promise.all(
      ["0", "3"].map(async (code) => {
        const script = `process.stdout.write("whole\\npart", () => process.exit(${code}))`;
        const agent = startFakeAgent(supervisor, { args: ["-e", script] });
        await agent.process.exited;
        return agent.lines;
      }),
    );
    expect(endings).toEqual([["whole", "part"], ["whole"]]);
  });

  test("a reader that throws ends the process, and the exit says why", async () => {
    const reason = new Error("cannot take it");
    let calls = 0;
    const agent = startFakeAgent(supervisor, {
      onLines() {
        calls += 1;
        throw reason;
      },
    });
    const exit = await agent.process.exited;
    expect(exit).toMatchObject({ exitCode: null, signal: "SIGTERM", outputError: reason });
    expect(calls).toBe(1);
  });

  test("stderr is kept apart, beginning and end", async () => {
    const agent = startFakeAgent(supervisor);
    await agent.ask("stderr 5000");
    const { stderr } = await agent.process.stop();
    expect(stderr).toMatchObject({ truncated: true, total_lines: 5000 });
    expect(stderr.head).toMatch(/^stderr line 1\n/);
    expect(stderr.tail).toMatch(/\nstderr line 5000\n$/);
    expect(agent.lines.some((line) => line.includes("stderr line"))).toBe(false);
  });
});

describe("input", () => {
  test("a line of 8 MB reaches the program", async () => {
    const agent = startFakeAgent(supervisor);
    const word = "w".repeat(8 * MiB);
    expect((await agent.ask(word)).length).toBe(word.length);
  });

  test("writing to a program that closed its stdin rejects", async () => {
    const agent = startFakeAgent(supervisor);
    await agent.ask("close-input");
    await expect(agent.process.writeLine("x".repeat(MiB))).rejects.toMatchObject({ code: "stream_error" });
  });

  test("writing to a program that is gone rejects, and so does a write that its death interrupts", async () => {
    const agent = startFakeAgent(supervisor, { args: ["-e", "setInterval(() => {}, 1e6)"] });
    const unread = expect(agent.process.writeLine("x".repeat(MiB))).rejects.toMatchObject({ code: "stream_error" });
    await agent.process.stop();
    await unread;
    await expect(agent.process.writeLine("late")).rejects.toMatchObject({ code: "stream_error" });
  });
});

describe("exit", () => {
  test("a crash tells its code", async () => {
    const agent = startFakeAgent(supervisor);
    await agent.prompt("crash 7");
    expect(await agent.process.exited).toMatchObject({ exitCode: 7, signal: null });
    expect(agent.lines.at(-1)).toContain("about to ");
  });

  test.each([
    ["a program that is not there", { command: "/nowhere/agent" }, "ENOENT"],
    ["a file that may not be run", { command: import.meta.filename }, "EACCES"],
    ["a directory that is not there", { cwd: "/nowhere" }, "ENOENT"],
    ["arguments that are too long", { args: ["x".repeat(4 * MiB)] }, "E2BIG"],
  ])("%s is an exit with spawnError", async (_, options, code) => {
    const { process } = startFakeAgent(supervisor, options);
    expect(process.pid).toBe(-1);
    const exit = await process.exited;
    expect(exit).toMatchObject({ exitCode: null, signal: null, spawnError: { code } });
    await expect(process.writeLine("x")).rejects.toMatchObject({ code: "stream_error" });
    expect(await process.stop()).toBe(exit);
  });

  test("a hundred short programs leave no record and no listener behind", async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on("warning", onWarning);
    const exits = await Promise.all(
      Array.from({ length: 100 }, () => startFakeAgent(supervisor, { command: "true", args: [] }).process.exited),
    );
    process.off("warning", onWarning);
    expect(exits.every((exit) => exit.exitCode === 0)).toBe(true);
    expect(readdirSync(recordDir)).toEqual([]);
    expect(warnings).toEqual([]);
  });
});

describe("stop", () => {
  test("a hanging program ends on SIGTERM, and stopping again gives the same exit", async () => {
    const agent = startFakeAgent(supervisor);
    await agent.prompt("hang");
    await agent.lineWith("item_start");
    expect(readdirSync(recordDir)).toHaveLength(1);
    const [exit, again] = await Promise.all([agent.process.stop(), agent.process.stop()]);
    expect(exit).toMatchObject({ exitCode: null, signal: "SIGTERM" });
    expect(again).toBe(exit);
    expect(isAlive(agent.process.pid)).toBe(false);
    expect(readdirSync(recordDir)).toEqual([]);
  });

  test("one that ignores SIGTERM gets SIGKILL after the grace time", async () => {
    const agent = startFakeAgent(supervisor, { graceMs: 100 });
    await agent.ask("ignore-term");
    expect(await agent.process.stop()).toMatchObject({ exitCode: null, signal: "SIGKILL" });
    expect(isAlive(agent.process.pid)).toBe(false);
  });

  test("closing the supervisor stops all, and it starts nothing any more", async () => {
    const agents = Array.from({ length: 4 }, () => startFakeAgent(supervisor));
    await Promise.all(agents.map((agent) => agent.ask("hello")));
    await supervisor.close();
    expect(agents.map((agent) => isAlive(agent.process.pid))).toEqual([false, false, false, false]);
    const late = startFakeAgent(supervisor, { args: [fakeAgentPath] });
    expect((await late.process.exited).spawnError?.message).toBe("The daemon is shutting down.");
  });
});
