import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { commandShell } from "./command-shell.ts";

const base = { PATH: process.env.PATH!, SHELL: "/bin/sh", OPENCODE_SERVER_PASSWORD: "secret" };

const why = process.platform === "win32" ? " (skipped: Windows has other shells)" : "";

describe.skipIf(why !== "")(`the shell of commands${why}`, () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), "sandbox-agent-shell-"));
    onTestFinished(() => rmSync(dataDir, { recursive: true }));
  });

  function run(command: string) {
    const env = { ...base, ...commandShell(dataDir, base) };
    return spawnSync(env.SHELL, ["-c", command], { env, encoding: "utf8", timeout: 10_000 });
  }

  test("runs them as the real one does", () => {
    const { status, stdout, stderr } = run("echo out; echo err >&2; exit 3");
    expect({ status, stdout, stderr }).toEqual({ status: 3, stdout: "out\n", stderr: "err\n" });
  });

  test("ends by itself when the real one is killed, and adds no words", () => {
    const { status, signal, stdout, stderr } = run("echo before; kill -9 $$");
    expect({ status, signal, stdout, stderr }).toEqual({ status: 137, signal: null, stdout: "before\n", stderr: "" });
  });

  test("passes a signal's death of the command on as a code", () => {
    expect(run("kill -TERM $$").status).toBe(143);
  });

  test("gives them the real shell and their mark, and not the password", () => {
    const { stdout } = run("env");
    expect(stdout).toContain("SHELL=/bin/sh\n");
    expect(stdout).toContain("SANDBOX_AGENT_SESSION_MARK=env\n");
    expect(stdout).not.toContain("secret");
    expect(stdout).not.toContain("REAL_SHELL");
  });

  test("is called as the one that OpenCode would take", () => {
    const named = (env: Record<string, string>) => basename(commandShell(dataDir, env).SHELL!);
    expect(named({ SHELL: "/bin/sh" })).toBe("sh");
    expect(named({ PATH: base.PATH, SHELL: "/usr/bin/fish" })).toBe("bash");
    expect(named({ PATH: base.PATH, SHELL: "/nowhere/zsh" })).toBe("bash");
  });
});
