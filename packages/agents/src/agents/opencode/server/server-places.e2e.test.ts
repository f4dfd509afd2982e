import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { AgentHarness } from "../../../contract/agent-harness.ts";
import { type ScriptedWorld, when } from "../../../contract/scripted-world.ts";
import { assistantText } from "../../../contract/stream-readers.ts";
import { makeOpencodeWorld } from "../__fixtures__/open-opencode.ts";
import { programProblem, whySkipped } from "../__fixtures__/program-problem.ts";
import { adapter } from "../index.ts";

const CROWD = 20;

describe.skipIf(programProblem)(`servers${whySkipped}`, () => {
  let world: ScriptedWorld;
  let harnesses: AgentHarness[] = [];
  beforeAll(async () => {
    world = await makeOpencodeWorld([when("Greet me.", { text: "Good morning.", repeat: "forever" })]);
  });
  afterEach(async () => {
    await Promise.all(harnesses.map((harness) => harness.dispose()));
    harnesses = [];
  });
  afterAll(async () => {
    await adapter.close?.();
    await world.dispose();
  });

  const open = async (env: Record<string, string> = {}) => {
    const harness = await world.open({ env });
    harnesses.push(harness);
    return harness;
  };
  const servers = async () => (await world.processes()).filter(({ commandLine }) => commandLine.includes(" serve "));
  const greet = async (harness: AgentHarness) => assistantText((await harness.prompt("Greet me.")).events);

  test(`one carries ${CROWD} sessions`, async () => {
    const directory = await world.makeDirectory({});
    for (let n = 0; n < CROWD; n += 1) harnesses.push(await world.open({ directory }));
    expect(await Promise.all(harnesses.map(greet))).toEqual(new Array(CROWD).fill("Good morning."));
    expect(await servers()).toHaveLength(1);
    expect(new Set(harnesses.map(({ nativeSessionId }) => nativeSessionId)).size).toBe(CROWD);
  }, 60_000);

  test("another environment has another one, which goes with the last session that has it", async () => {
    const [one, two] = [await open({ A: "1" }), await open({ A: "1" })];
    expect(await servers()).toHaveLength(2);
    await one.close();
    expect(await greet(two)).toBe("Good morning.");
    await two.close();
    expect(await servers()).toHaveLength(1);
  }, 60_000);

  test("one that is killed is started anew, for all its sessions, and that is counted", async () => {
    const [one, two] = [await open(), await open()];
    await greet(one);
    const before = one.nativeSessionId;
    await world.killPrograms();
    expect(adapter.serverStatus?.()).toMatchObject({ status: "error", lastError: expect.stringContaining("SIGKILL") });
    expect(await Promise.all([greet(one), greet(two)])).toEqual(["Good morning.", "Good morning."]);
    expect(one.nativeSessionId).toBe(before);
    expect(adapter.serverStatus?.()).toMatchObject({ status: "running", restartCount: 1 });
    expect(await servers()).toHaveLength(1);
  }, 60_000);
});
