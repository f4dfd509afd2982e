import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createSupervisor } from "../process/supervisor.ts";
import { silent } from "./harness-world.ts";
import { lineKeeper } from "./keep-lines.ts";
import { testedVersion } from "./tested-version.ts";

test("what a program prints and is told is kept, and reaches it and its reader as ever", async () => {
  const directory = await mkdtemp(join(tmpdir(), "kept-lines-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const supervisor = createSupervisor({ recordDir: null, owner: "kept-lines", log: silent });
  onTestFinished(() => supervisor.close());
  const keeper = lineKeeper(directory);
  const spawn = keeper.watch((options) => supervisor.spawn(options));
  const read: string[] = [];
  const program = spawn({
    command: process.execPath,
    args: ["-e", "process.stdin.pipe(process.stdout)"],
    cwd: directory,
    env: { PATH: process.env.PATH! },
    label: "echo",
    onLines: (lines) => void read.push(...lines),
  });
  await program.writeLine("over there");
  program.endInput();
  await program.exited;
  keeper.keep(["over HTTP"]);

  expect(read).toEqual(["over there"]);
  const [file] = await readdir(directory);
  const kept = (await readFile(join(directory, file!), "utf8")).trim().split("\n");
  expect(kept.map((text) => JSON.parse(text) as unknown)).toEqual([
    { process: 1, from: "us", line: "over there" },
    { process: 1, from: "agent", line: "over there" },
    { process: 0, from: "agent", line: "over HTTP" },
  ]);
});

test("without a directory nothing is watched", () => {
  const spawn = () => {
    throw new Error("not called");
  };
  expect(lineKeeper(undefined).watch(spawn)).toBe(spawn);
});

test("the tested version is the pinned one unless a variable names another", () => {
  const program = { name: "claude-acp", version: "1.0.0" };
  expect(testedVersion(program, {})).toBe("1.0.0");
  expect(testedVersion(program, { SANDBOX_AGENT_CLAUDE_ACP_VERSION: "1.1.0" })).toBe("1.1.0");
});
