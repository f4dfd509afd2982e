/** Feared: Amp runs although it must not, or waits for a person who cannot come; a conversation that cannot go on. */
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { expectSound } from "../../contract/agent-contract.ts";
import type { AgentHarness } from "../../contract/agent-harness.ts";
import { mcpServerConfig } from "../../contract/contract-fixtures.ts";
import { type ScriptedWorld, when } from "../../contract/scripted-world.ts";
import { assistantText, eventsOf, partsOf } from "../../contract/stream-readers.ts";
import { requireProgram } from "../../install/locate-program.ts";
import { makeAmpWorld } from "./__fixtures__/open-amp.ts";
import { programProblem, whySkipped } from "./__fixtures__/program-problem.ts";
import { adapter } from "./index.ts";
import { program } from "./program.ts";

const TIMEOUT_MS = 60_000;
const runs = (command: string) => ({ toolCalls: [{ name: "shell_command", input: { command } }] });
const patches = (file: string) => ({
  toolCalls: [
    { name: "apply_patch", input: { patchText: `*** Begin Patch\n*** Add File: ${file}\n+x\n*** End Patch` } },
  ],
});

describe.skipIf(programProblem)(`the real Amp${whySkipped}`, { timeout: TIMEOUT_MS }, () => {
  let world: ScriptedWorld;
  beforeAll(async () => {
    world = await makeAmpWorld([
      when("hello", { text: "Good morning." }),
      when("database", patches("state.db"), { text: "Written." }),
      when("twice", { toolCalls: [...runs("touch one").toolCalls, ...runs("touch two").toolCalls] }, { text: "Both." }),
    ]);
  }, 600_000);
  afterAll(() => world?.dispose());

  async function open(...args: Parameters<ScriptedWorld["open"]>): Promise<AgentHarness> {
    const harness = await world.open(...args);
    onTestFinished(() => harness.dispose());
    return harness;
  }

  test("without a key nothing is started, and the turn says what to do", async () => {
    const harness = await open({}, { env: { AMP_API_KEY: "" } });
    const { outcome, events } = await harness.prompt("hello");
    expect(outcome).toMatchObject({
      reason: "error",
      message: expect.stringContaining("Run `sandbox-agent login amp`, or set AMP_API_KEY."),
    });
    expect(eventsOf(events, "error")).toHaveLength(1);
    const started = (await world.processes()).map(({ commandLine }) => commandLine);
    expect(started.filter((line) => !line.endsWith("--help"))).toEqual([]);
    expectSound(harness);
  });

  test("a skill of the repository starts no MCP server, unless nothing is asked; those of the session start", async () => {
    const header = "---\nname: helpful\ndescription: Helps.\n";
    const inline = `${header}mcpServers:\n  inline:\n    command: touch\n    args: ["inline-started"]\n---\nHelp.\n`;
    const files = {
      ".agents/skills/helpful/SKILL.md": `${header}---\nHelp.\n`,
      ".agents/skills/helpful/mcp.json": JSON.stringify({ beside: { command: "touch", args: ["beside-started"] } }),
      ".claude/skills/inline/SKILL.md": inline.replace("helpful", "inline"),
    };
    const started = (harness: AgentHarness) =>
      ["beside-started", "inline-started"].map((name) => existsSync(join(harness.directory, name)));
    const asking = await open({ mcp: { contract: mcpServerConfig } }, { files });
    const { events } = await asking.prompt("hello");
    expect(started(asking)).toEqual([false, false]);
    const failed = partsOf(events, "status").map(({ label }) => label);
    expect(failed.toSorted()).toEqual(["MCP server beside failed", "MCP server inline failed"]);
    const trusting = await open({ permissionMode: "bypass" }, { files });
    await trusting.prompt("hello");
    expect(started(trusting)).toEqual([true, true]);
  });

  test("a file that Amp guards by itself is asked about like any other", async () => {
    const harness = await open();
    const turn = harness.prompt("database");
    const { data } = await harness.next("permission.requested");
    expect(data.paths).toEqual([join(harness.directory, "state.db")]);
    await harness.answerPermission(data.permission_id, "once");
    expect((await turn).outcome.reason).toBe("completed");
    expect(existsSync(join(harness.directory, "state.db"))).toBe(true);
    expectSound(harness);
  });

  test("a key that the service refuses ends the turn and not the session", async () => {
    const harness = await open({ env: { AMP_API_KEY: "wrong" } });
    const { outcome } = await harness.prompt("hello");
    expect(outcome).toMatchObject({ reason: "error", message: expect.stringMatching(/refused.*AMP_API_KEY/) });
    expectSound(harness);
  });

  test("a service that is not there ends the turn with Amp's own words", async () => {
    const harness = await open({ env: { AMP_URL: "http://127.0.0.1:9" } });
    expect((await harness.prompt("hello")).outcome).toMatchObject({
      reason: "error",
      message: expect.stringContaining("Couldn't connect"),
    });
  });

  test("a program that knows fewer flags than it says is started in a simpler way, and goes on so", async () => {
    const { path } = await requireProgram(program, world.host);
    const older = join(world.host.dataDir, "older-amp");
    const refusing =
      'case " $* " in *" --stream-json-input "*|*-thinking*) echo "error: unknown option" >&2; exit 1;; esac';
    await writeFile(older, `#!/bin/sh\n${refusing}\nexec '${path}' "$@"\n`, { mode: 0o755 });
    const harness = await open({}, { env: { SANDBOX_AGENT_AMP_BIN: older } });
    for (const message of ["hello", "hello again"]) {
      const { outcome, events } = await harness.prompt(message);
      expect(outcome).toMatchObject({ reason: "completed" });
      expect(assistantText(events)).toBe("Good morning.");
    }
    expectSound(harness);
  });

  test("a thread that cannot be gone on with is begun anew, and told so", async () => {
    const harness = await open();
    await harness.prompt("hello");
    const thread = harness.nativeSessionId;
    const headers = { authorization: "Bearer scripted" };
    const body = JSON.stringify({ method: "archiveThread", params: { thread, archived: true } });
    await fetch(`${world.host.env.AMP_URL}/api/internal`, { method: "POST", headers, body });
    const { outcome, events } = await harness.prompt("hello");
    expect(outcome.reason).toBe("completed");
    expect(partsOf(events, "status")).toMatchObject([{ label: "Conversation lost" }]);
    expect(harness.nativeSessionId).not.toBe(thread);
    expectSound(harness);
  });

  test("two tools at once are two requests, each for its own call", async () => {
    const harness = await open();
    const turn = harness.prompt("twice");
    const requests = [await harness.next("permission.requested"), await harness.next("permission.requested")];
    const calls = requests.map(({ data }) => data.metadata?.call_id);
    expect(new Set(calls).size).toBe(2);
    for (const { data } of requests) {
      await harness.answerPermission(data.permission_id, data.action.includes("one") ? "once" : "reject");
    }
    const { events } = await turn;
    const results = eventsOf(events, "item.completed").filter(({ data }) => data.item.kind === "tool_result");
    expect(results.map(({ data }) => data.item.status).sort()).toEqual(["completed", "failed"]);
    expectSound(harness);
  });

  test("a directory whose settings would let Amp do everything unasked is refused", async () => {
    const harness = await open({ permissionMode: "default" });
    await mkdir(join(harness.directory, ".amp"));
    await writeFile(join(harness.directory, ".amp", "settings.json"), '{"amp.dangerouslyAllowAll": true}');
    await expect(harness.prompt("twice")).rejects.toMatchObject({ code: "permission_denied" });
    expectSound(harness);
  });

  test("what the user's own settings allow is not asked", async () => {
    const settings = join(world.host.dataDir, "mine.json");
    const rule = { tool: "shell_command", action: "allow", matches: { command: "touch *" } };
    await writeFile(settings, `{ // mine\n "amp.permissions": [${JSON.stringify(rule)}] }`);
    const harness = await open({ env: { AMP_SETTINGS_FILE: settings } });
    const { outcome, events } = await harness.prompt("twice");
    expect(outcome.reason).toBe("completed");
    expect(eventsOf(events, "permission.requested")).toEqual([]);
  });

  test("a mode of Amp's is the mode its service is asked in; a model is none", async () => {
    const modes = await adapter.modes(world.host);
    expect(modes.map(({ id }) => id)).toEqual(expect.arrayContaining(["build", "plan", "low", "high"]));
    const harness = await open({ agentMode: "high" });
    await harness.prompt("hello");
    expect(world.model.requests.at(-1)?.model).toBe("high");
    await expect(open({ model: "gpt-9" })).rejects.toMatchObject({ code: "mode_not_supported" });
  });
});
