/** Feared: a pipe in the place of a settings file, for whose writer the daemon waits for ever. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readRegularFile, readRegularText, readRegularTextSync } from "./read-regular-file.ts";

const directory = mkdtempSync(join(tmpdir(), "sandbox-agent-odd-files-"));
afterAll(() => rmSync(directory, { recursive: true }));
const at = (name: string) => join(directory, name);

execFileSync("mkfifo", [at("pipe")]);
mkdirSync(at("folder"));
symlinkSync("/dev/zero", at("device"));
symlinkSync(at("pipe"), at("link to a pipe"));
writeFileSync(at("huge"), "");
truncateSync(at("huge"), 10_000_000_000);
writeFileSync(at("text"), "häh");
symlinkSync(at("text"), at("link"));

describe.each(["pipe", "folder", "device", "link to a pipe", "huge", "missing"])("a %s", (name) => {
  test("is refused at once", async () => {
    await expect(readRegularFile(at(name))).rejects.toThrow();
    await expect(readRegularText(at(name))).rejects.toThrow();
    expect(() => readRegularTextSync(at(name))).toThrow();
  });
});

test.each(["text", "link"])("a %s is read", async (name) => {
  expect(await readRegularText(at(name))).toBe("häh");
  expect(readRegularTextSync(at(name))).toBe("häh");
});
