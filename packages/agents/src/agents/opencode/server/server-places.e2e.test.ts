import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { AgentHarness } from "../../../contract/agent-harness.ts";
import { firstAgentDelta } from "../../../contract/describe-stopping.ts";
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
    world = await makeOpencodeWorld([
      when("Greet me.", { text: "Good morning.", repeat: "forever" }),
      when("Sleep.", { text: ["Zzz"], hang: 1 }),
    ]);
  }, 300_000);
  afterEach(async () => {
    await Promise.all(harnesses.map((harness) => harness.dispose()));
    harnesses = [];
  }, 120_000);
  afterAll(async () => {
    await adapter.close?.();
    await world.dispose();
  }, 120_000);

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
  }, 300_000);

  test("another environment has another one, which goes with the last session that has it", async () => {
    const [one, two] = [await open({ A: "1" }), await open({ A: "1" })];
    expect(await servers()).toHaveLength(2);
    await one.close();
    expect(await greet(two)).toBe("Good morning.");
    await two.close();
    expect(await servers()).toHaveLength(1);
  }, 300_000);

  const stopServers = async () => {
    for (const { pid } of await servers()) process.kill(pid, "SIGSTOP");
  };

  test("one that is stopped is replaced, for the sessions that are there and for new ones", async () => {
    const harness = await open();
    await greet(harness);
    const before = await servers();
    await stopServers();
    expect(await greet(harness)).toBe("Good morning.");
    expect(await greet(await open())).toBe("Good morning.");
    const after = await servers();
    expect(after).toHaveLength(1);
    expect(after[0]?.pid).not.toBe(before[0]?.pid);
  }, 300_000);

  test("one that is stopped in a turn does not keep it from being interrupted, nor the next one from running", async () => {
    const harness = await open();
    const turn = harness.prompt("Sleep.");
    await firstAgentDelta(harness);
    await stopServers();
    await harness.interrupt();
    expect((await turn).outcome.reason).toBe("interrupted");
    expect(await greet(harness)).toBe("Good morning.");
  }, 300_000);

  test("one that is killed is started anew, for all its sessions, and that is counted", async () => {
    const [one, two] = [await open(), await open()];
    await greet(one);
    const before = one.nativeSessionId;
    const { restartCount } = adapter.serverStatus!()!;
    await world.killPrograms();
    expect(adapter.serverStatus?.()).toMatchObject({ status: "error", lastError: expect.stringContaining("SIGKILL") });
    expect(await Promise.all([greet(one), greet(two)])).toEqual(["Good morning.", "Good morning."]);
    expect(one.nativeSessionId).toBe(before);
    expect(adapter.serverStatus?.()).toMatchObject({ status: "running", restartCount: restartCount + 1 });
    expect(await servers()).toHaveLength(1);
  }, 300_000);
});
