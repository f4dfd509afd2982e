import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { SessionConfig } from "../../agent.ts";
import { projectInstructions, untrustedSettings } from "./project-settings.ts";

/** A repository with these files, and where it is. */
function repository(...files: string[]): string {
  const root = mkdtempSync(join(tmpdir(), "sandbox-agent-project-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const file of [".git/HEAD", "src/a.ts", ...files]) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), `text of ${file}`);
  }
  return root;
}

const found = (directory: string, session: Partial<SessionConfig> = {}, HOME = "/home/nobody") =>
  untrustedSettings(
    { sessionId: "s", agentMode: "build", permissionMode: "default", env: {}, directory, ...session },
    { HOME },
  );

test.each([
  "opencode.json",
  "opencode.jsonc",
  ".opencode/opencode.json",
  ".opencode/plugin/p.js",
  ".opencode/tool/t.ts",
  ".opencode/agent/a.md",
  ".opencode/package.json",
])("%s of a repository is found, also from within", (file) => {
  const root = repository(file);
  const settings = [join(root, file.startsWith(".opencode/") ? ".opencode" : file)];
  expect(found(root)).toEqual(settings);
  expect(found(join(root, "src"))).toEqual(settings);
});

test("what is above the repository, plans, and a user's own folder are none of its settings", () => {
  const root = repository("opencode.json", "inner/.git/HEAD", "inner/.opencode/plans/p.md");
  expect(found(join(root, "inner"))).toEqual([]);
  const home = repository(".opencode/opencode.json");
  expect(found(home, {}, home)).toEqual([]);
  expect(found(home)).toEqual([join(home, ".opencode")]);
});

test("they count where everything passes, and nothing is planned", () => {
  const root = repository("opencode.json");
  expect(found(root, { permissionMode: "bypass" })).toEqual([]);
  expect(found(root, { permissionMode: "bypass", agentMode: "plan" })).toHaveLength(1);
  expect(found(root, { permissionMode: "acceptEdits" })).toHaveLength(1);
});

test("instructions are those of the first name that is there, from the directory up", async () => {
  const root = repository("AGENTS.md", "src/AGENTS.md", "src/CLAUDE.md");
  const from = (file: string) => `Instructions from: ${join(root, file)}\ntext of ${file}`;
  expect(await projectInstructions(join(root, "src"))).toBe(`${from("src/AGENTS.md")}\n\n${from("AGENTS.md")}`);
  expect(await projectInstructions(repository())).toBeUndefined();
});
