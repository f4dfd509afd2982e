/** Feared: a log that nobody reads stops the daemon, or fills its memory. */
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createLogOutput, rotating } from "./log-output.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Takes `room` bytes until it is given more. */
function slowReader(room: number) {
  const taken: string[] = [];
  const reader = {
    room,
    text: () => taken.join(""),
    sink: (bytes: Buffer) => {
      const count = Math.min(bytes.length, reader.room);
      taken.push(bytes.subarray(0, count).toString());
      reader.room -= count;
      return count;
    },
  };
  return reader;
}

test("lines wait in order for a slow reader, also in pieces", () => {
  const reader = slowReader(4);
  const output = createLogOutput(() => {}, reader.sink);
  for (const line of ["one\n", "two\n", "three\n"]) output.write(line);
  expect(reader.text()).toBe("one\n");
  reader.room = 2;
  vi.advanceTimersByTime(1_000);
  expect(reader.text()).toBe("one\ntw");
  reader.room = 100;
  vi.advanceTimersByTime(1_000);
  expect(reader.text()).toBe("one\ntwo\nthree\n");
});

test("what is beyond the bound is dropped, and its count told once there is room", () => {
  const reader = slowReader(0);
  const dropped: number[] = [];
  const output = createLogOutput((count) => dropped.push(count), reader.sink, 10);
  for (let line = 0; line < 9; line++) output.write(`${line}...\n`);
  expect(dropped).toEqual([]);
  reader.room = 1_000;
  vi.advanceTimersByTime(1_000);
  expect(reader.text()).toBe("0...\n1...\n");
  expect(dropped).toEqual([7]);
});

test("a reader that is gone is not waited for", () => {
  const sink = vi.fn(() => -1);
  const output = createLogOutput(() => {}, sink, 10);
  for (let line = 0; line < 5; line++) output.write("12345678\n");
  expect(sink).toHaveBeenCalledTimes(5);
  expect(vi.getTimerCount()).toBe(0);
});

test("a log file of ours is moved aside when it is large, once", () => {
  const directory = mkdtempSync(join(tmpdir(), "sandbox-agent-log-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, "daemon.log");
  const descriptor = openSync(path, "a");
  const output = createLogOutput(() => {}, rotating(descriptor, path, 10));
  for (const line of ["one\n", "two\n", "three\n", "four\n"]) output.write(line);
  closeSync(descriptor);
  expect(readFileSync(`${path}.1`, "utf8")).toBe("three\n");
  expect(readFileSync(path, "utf8")).toBe("four\n");
});
