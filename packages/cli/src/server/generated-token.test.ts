import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { generatedToken } from "./generated-token.ts";

let dataDir: string;

beforeEach(() => {
  const root = mkdtempSync(join(tmpdir(), "token-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  dataDir = join(root, "data");
});

const mode = (): number => statSync(join(dataDir, "token")).mode & 0o777;

it("is the same at every start, and only its owner can read it", () => {
  const first = generatedToken(dataDir);
  expect(first).toMatch(/^[\w-]{32}$/);
  expect(generatedToken(dataDir)).toBe(first);
  expect(mode()).toBe(0o600);
  expect(readdirSync(dataDir)).toEqual(["token"]);
});

it("is taken from others who could read it", () => {
  generatedToken(dataDir);
  chmodSync(join(dataDir, "token"), 0o644);
  generatedToken(dataDir);
  expect(mode()).toBe(0o600);
});

it.each(["", "short", "with spaces in between it is none"])("is made anew when the file says %j", (text) => {
  generatedToken(dataDir);
  writeFileSync(join(dataDir, "token"), text);
  const token = generatedToken(dataDir);
  expect(token).toMatch(/^[\w-]{32}$/);
  expect(generatedToken(dataDir)).toBe(token);
});
