import { appendFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { LogTail } from "./log-tail.ts";

async function makeFile(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "log-tail-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "a.log");
  await writeFile(file, text);
  return file;
}

test("whole lines are told once, however they were written", async () => {
  const file = await makeFile("one\ntw");
  const tail = new LogTail();
  expect(await tail.read([file])).toEqual(["one"]);
  await appendFile(file, "o\nthree\n");
  expect(await tail.read([file])).toEqual(["two", "three"]);
  expect(await tail.read([file])).toEqual([]);
});

test("of a long file only the end is read at first", async () => {
  const file = await makeFile(`${"old line\n".repeat(20_000)}new line\n`);
  const lines = await new LogTail().read([file]);
  expect(lines.at(-1)).toBe("new line");
  expect(lines.length).toBeLessThan(10_000);
});

test("a file that begins anew is read from its beginning, and one that is not there is nothing", async () => {
  const file = await makeFile("one\ntwo\n");
  const tail = new LogTail();
  await tail.read([file]);
  await writeFile(file, "new\n");
  expect(await tail.read([`${file}.gone`, file])).toEqual(["new"]);
});
