import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { SessionConfig } from "../../agent.ts";
import { expectSound } from "../../contract/agent-contract.ts";
import type { AgentHarness } from "../../contract/agent-harness.ts";
import { when } from "../../contract/scripted-world.ts";
import { assistantText, completedItems, eventsOf, partsOf, toolOutputs } from "../../contract/stream-readers.ts";
import { type CodexWorld, keyConfig, makeCodexWorld } from "./__fixtures__/open-codex.ts";
import { programProblem } from "./__fixtures__/program-problem.ts";
import { adapter } from "./index.ts";

/** Models of this kind call their tools from a script that Codex runs, and know subagents of another kind. */
const SCRIPTING_MODEL = "gpt-6.1-sol";

const script = (input: string) => ({ toolCalls: [{ name: "exec", namespace: "functions", input }] });
const shell = (cmd: string, more: object = {}) => ({ toolCalls: [{ name: "exec_command", input: { cmd, ...more } }] });
const patch = "*** Begin Patch\\n*** Add File: made.txt\\n+hi\\n*** End Patch";

const conversations = [
  when(
    "Run a script.",
    script('text(await tools.exec_command({ cmd: "echo from a script" }));'),
    script(`text(await tools.apply_patch("${patch}"));`),
    { text: "Ran." },
  ),
  when(
    "Send somebody.",
    {
      toolCalls: [{ name: "spawn_agent", namespace: "collaboration", input: { task_name: "pearls", message: "Go." } }],
    },
    { text: "Sent." },
  ),
  when("Start it.", shell("echo begun; sleep 300", { yield_time_ms: 300 }), { text: "It runs." }),
  when("Take your time.", shell("sleep 0.3; echo half; until test -e go-on; do sleep 0.05; done; echo whole"), {
    text: "Took it.",
  }),
  when("Flood me.", shell("sleep 0.3; seq 1 100000; sleep 0.3; echo over"), { text: "Flooded." }),
  when("Greet me.", { text: "Good morning.", repeat: "forever" }),
  when("Plan it.", { text: "<proposed_plan>\nMake a file.\n</proposed_plan>" }, shell("touch planned"), {
    text: "Done as planned.",
  }),
];

describe.skipIf(programProblem)(`a session${programProblem ? ` (skipped: ${programProblem})` : ""}`, () => {
  let world: CodexWorld;
  beforeAll(async () => {
    world = await makeCodexWorld({ conversations, config: keyConfig, env: () => ({ SCRIPTED_KEY: "key" }) });
  });
  afterAll(async () => {
    await adapter.close?.();
    await world.dispose();
  });

  async function open(session: Partial<SessionConfig>): Promise<AgentHarness> {
    const harness = await world.open(session);
    onTestFinished(() => harness.dispose());
    return harness;
  }

  test("shows what a model does that calls its tools from a script", async () => {
    const harness = await open({ model: SCRIPTING_MODEL, permissionMode: "bypass" });
    const { outcome, events } = await harness.prompt("Run a script.");
    expect(outcome.reason).toBe("completed");
    expect(toolOutputs(events)).toEqual(["from a script\n", "add made.txt"]);
    expect(partsOf(events, "file_ref")).toHaveLength(1);
    expectSound(harness);
  });

  test("shows the output of a command while it runs, under its call, and whole in its result", async () => {
    const harness = await open({ permissionMode: "bypass" });
    const turn = harness.prompt("Take your time.");
    let shown = await harness.next("item.delta");
    while (shown.source !== "agent") shown = await harness.next("item.delta");
    expect(shown.data.delta).toBe("half\n");
    await writeFile(join(harness.directory, "go-on"), "");
    const { events } = await turn;
    const live = completedItems(events).find(({ item_id }) => item_id === shown.data.item_id);
    const call = completedItems(events).find(({ kind }) => kind === "tool_call");
    expect(live).toMatchObject({ kind: "status", parent_id: call?.item_id });
    expect(toolOutputs(events)).toEqual(["half\nwhole\n"]);
    expectSound(harness);
  });

  test("shows the beginning of a long output while it comes, and whole in its result", async () => {
    const harness = await open({ permissionMode: "bypass" });
    const { events } = await harness.prompt("Flood me.");
    const [live] = completedItems(events).filter(({ kind }) => kind === "status");
    expect(JSON.stringify(live).length).toBeGreaterThan(60_000);
    expect(JSON.stringify(live).length).toBeLessThan(100_000);
    expect(toolOutputs(events)[0]).toContain("over\n");
    expectSound(harness);
  });

  test("asks before such a model runs or changes anything", async () => {
    const harness = await open({ model: SCRIPTING_MODEL });
    const turn = harness.prompt("Run a script.");
    const command = await harness.next("permission.requested");
    expect(command.data).toMatchObject({ kind: "execute", command: "echo from a script" });
    await harness.answerPermission(command.data.permission_id, "once");
    const change = await harness.next("permission.requested");
    expect(change.data).toMatchObject({ kind: "edit", diff: expect.stringContaining("+hi") });
    await harness.answerPermission(change.data.permission_id, "reject");
    const { events } = await turn;
    expect(completedItems(events).filter(({ status }) => status === "failed")).toHaveLength(2);
    expectSound(harness);
  });

  test("puts the items of a subagent under what started it, whatever kind it is", async () => {
    const harness = await open({ model: SCRIPTING_MODEL, permissionMode: "bypass" });
    const { events } = await harness.prompt("Send somebody.");
    const [started] = completedItems(events).filter(({ kind }) => kind === "status");
    expect(started?.content).toEqual([{ type: "status", label: "Subagent started", detail: "/root/pearls" }]);
    expect(completedItems(events).filter(({ parent_id }) => parent_id === started?.item_id)).not.toEqual([]);
    expectSound(harness);
  });

  test("lets a command run on after its turn, and ends it when it is closed", async () => {
    const harness = await open({ permissionMode: "bypass" });
    const { events } = await harness.prompt("Start it.");
    expect(partsOf(events, "json")).toEqual([{ type: "json", json: { running: true } }]);
    const sleeping = async () => (await world.processes()).filter(({ commandLine }) => commandLine === "sleep 300");
    expect(await sleeping()).toHaveLength(1);
    expect(assistantText((await harness.prompt("Greet me.")).events)).toBe("Good morning.");
    await harness.close();
    expect(await sleeping()).toEqual([]);
    expectSound(harness);
  });

  test("asks for everything again when a plan was approved in mode plan", async () => {
    const harness = await open({ agentMode: "plan", permissionMode: "plan" });
    const turn = harness.prompt("Plan it.");
    const { data } = await harness.next("question.requested");
    expect(data.options).toEqual(["Approve", "Reject"]);
    await harness.answerQuestion(data.question_id, [["Approve"]]);
    const { data: permission } = await harness.next("permission.requested");
    await harness.answerPermission(permission.permission_id, "once");
    const { outcome, events } = await turn;
    expect(outcome.reason).toBe("completed");
    expect(assistantText(events)).toContain("Done as planned.");
    expect(eventsOf(events, "turn.started")).toHaveLength(1);
    expectSound(harness);
  });
});
