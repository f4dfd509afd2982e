import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { hasCredentials } from "./credentials.ts";

test("pipes in the places of its files are not waited for", async () => {
  const home = mkdtempSync(join(tmpdir(), "claude-home-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  mkdirSync(join(home, ".claude"));
  execFileSync("mkfifo", [join(home, ".claude.json"), join(home, ".claude", "settings.json")]);
  expect(await hasCredentials({ HOME: home }, "linux")).toBe(false);
});
