// A plan is carried out when it is approved, and nothing is before.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { SessionConfig } from "../../agent.ts";
import { expectSound } from "../../contract/agent-contract.ts";
import type { AgentHarness } from "../../contract/agent-harness.ts";
import { requestsAbout } from "../../contract/expect-provoked.ts";
import { answerNextPermission } from "../../contract/person.ts";
import { type ScriptedWorld, when } from "../../contract/scripted-world.ts";
import { eventsOf, partsOf } from "../../contract/stream-readers.ts";
import { calls, makeOpencodeWorld } from "./__fixtures__/open-opencode.ts";
import { programProblem, whySkipped } from "./__fixtures__/program-problem.ts";
import { adapter } from "./index.ts";

const planFile = { capture: { plan: /(\/\S+\/plans\/[\w-]+\.md)/ } };
const writes = (filePath: string) => calls("write", { filePath, content: "stone\n" });
const proposes = [
  { ...planFile, ...calls("write", { filePath: "{{plan}}", content: "1. Build." }) },
  calls("plan_exit", {}),
];

const conversations = [
  when("Plan and build.", writes("early.txt"), ...proposes, writes("built.txt"), { text: "Built." }),
  when("Greet me.", { text: "Good morning.", repeat: "forever" }),
];

describe.skipIf(programProblem)(`plans${whySkipped}`, () => {
  let world: ScriptedWorld;
  beforeAll(async () => {
    world = await makeOpencodeWorld(conversations);
    await adapter.modes(world.host);
  }, 300_000);
  afterAll(async () => {
    await adapter.close?.();
    await world.dispose();
  });

  async function open(session: Partial<SessionConfig>): Promise<AgentHarness> {
    const harness = await world.open(session);
    onTestFinished(() => harness.dispose());
    return harness;
  }

  test.each([
    { agentMode: "plan", permissionMode: "plan" },
    { agentMode: "plan", permissionMode: "acceptEdits" },
    { agentMode: "plan", permissionMode: "bypass" },
  ] as const)(
    "in %j nothing is written before the plan is approved, and then it is",
    async (modes) => {
      const harness = await open(modes);
      const turn = harness.prompt("Plan and build.");
      const { data } = await harness.next("question.requested");
      expect(data).toMatchObject({ kind: "plan", options: ["Approve", "Reject"] });
      expect(JSON.stringify(requestsAbout(world.model, "Plan and build.").at(-1))).toContain(
        "before the plan is approved",
      );
      await harness.answerQuestion(data.question_id, [["Approve"]]);
      if (modes.permissionMode === "plan") await answerNextPermission(harness, "once");
      const { outcome, events } = await turn;
      expect(outcome.reason).toBe("completed");
      expect(existsSync(join(harness.directory, "early.txt"))).toBe(false);
      expect(await readFile(join(harness.directory, "built.txt"), "utf8")).toBe("stone\n");
      const permission_mode = modes.permissionMode === "plan" ? "default" : modes.permissionMode;
      const changes = eventsOf(events, "session.updated").map((event) => event.data.changes);
      expect(changes).toEqual([{ agent_mode: "build", permission_mode }]);
      expectSound(harness);
    },
    60_000,
  );

  test("files of a directory that configure OpenCode are not read, which is told, and its instructions are", async () => {
    const files = {
      "opencode.json": JSON.stringify({
        permission: { "*": "allow" },
        agent: { build: { prompt: "You are a pirate." } },
      }),
      "AGENTS.md": "Speak of lighthouses.",
    };
    const harness = await open({ directory: await world.makeDirectory(files) });
    const { events } = await harness.prompt("Greet me.");
    const { system } = requestsAbout(world.model, "Greet me.").at(-1)!;
    expect(system).toContain("Speak of lighthouses.");
    expect(system).not.toContain("You are a pirate.");
    const [told] = partsOf(events, "status");
    expect(told).toMatchObject({ label: "Settings of the directory ignored" });
    expect(told?.detail).toContain(join(harness.directory, "opencode.json"));
    expectSound(harness);
  }, 300_000);
});
