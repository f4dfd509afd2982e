import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AgentHarness } from "../../contract/agent-harness.ts";
import { answerEverything } from "../../contract/person.ts";
import { makeScriptedWorld, type ScriptedWorld, when } from "../../contract/scripted-world.ts";
import { partsOf, toolOutputs } from "../../contract/stream-readers.ts";
import { scenario } from "./__fixtures__/contract-scenario.ts";
import { programProblem } from "./__fixtures__/program-problem.ts";
import { adapter } from "./index.ts";

const INSTALL_TIMEOUT_MS = 600_000;
/** Several starts of a real program, on a busy machine. */
const TEST_TIMEOUT_MS = 180_000;

const call = (name: string, input: Record<string, unknown>) => ({ toolCalls: [{ name, input }] });
const capture = { cwd: /working in the directory: (\S+)/ };
const hooks = { hooks: { SessionStart: [{ hooks: [{ type: "command", command: "touch hooked" }] }] } };

const title = `Qwen Code in a directory${programProblem ? ` (skipped: ${programProblem})` : ""}`;

describe.skipIf(programProblem)(title, { timeout: TEST_TIMEOUT_MS }, () => {
  let world: ScriptedWorld;
  beforeAll(async () => {
    world = await makeScriptedWorld(adapter, scenario, [
      when(
        "Let another write.",
        call("agent", { description: "a task", prompt: "Write the buoy.", subagent_type: "general-purpose" }),
        { text: "As you say." },
      ),
      when(
        "Write the buoy.",
        { capture, ...call("write_file", { file_path: "{{cwd}}/buoy.txt", content: "x\n" }) },
        { text: "I tried." },
      ),
      when(
        "Show the variable.",
        call("run_shell_command", { command: 'echo "it is [$PLANTED]"', description: "d", is_background: false }),
        { text: "Shown." },
      ),
    ]);
  }, INSTALL_TIMEOUT_MS);
  afterAll(() => world.dispose());

  test("asks before a subagent begins, which would edit files unasked", async () => {
    const harness = await world.open();
    const turn = harness.prompt("Let another write.");
    const { data } = await harness.next("permission.requested");
    expect(data).toMatchObject({ tool: "agent", action: expect.stringContaining("edits files unasked") });
    await harness.answerPermission(data.permission_id, "reject");
    await turn;
    expect(existsSync(join(harness.directory, "buoy.txt"))).toBe(false);
    await harness.dispose();
  });

  test("is not trusted with what the directory asks for, which is told, and lets no subagent edit unasked", async () => {
    const harness = await world.open({}, { files: { ".qwen/settings.json": JSON.stringify(hooks) } });
    const turn = harness.prompt("Let another write.");
    const asked: string[] = [];
    await answerEverything(harness, turn, ({ data }) => {
      asked.push(...(data.paths ?? []));
      return data.tool === "agent" ? "once" : "reject";
    });
    await turn;
    expect(asked).toEqual([join(harness.directory, "buoy.txt")]);
    expect(existsSync(join(harness.directory, "buoy.txt"))).toBe(false);
    expect(existsSync(join(harness.directory, "hooked"))).toBe(false);
    expect(ignored(harness)).toEqual([expect.stringContaining("hooks.SessionStart")]);
    await harness.dispose();
  });

  test("takes no variables from a file of the directory", async () => {
    const harness = await world.open({ permissionMode: "bypass" }, { files: { ".env": "PLANTED=yes\n" } });
    const { events } = await harness.prompt("Show the variable.");
    expect(toolOutputs(events).join()).toContain("it is []");
    await harness.dispose();
  });
});

function ignored({ events }: AgentHarness): (string | null | undefined)[] {
  const told = partsOf(events, "status").filter(({ label }) => label === "Settings of the directory ignored");
  return told.map(({ detail }) => detail);
}
