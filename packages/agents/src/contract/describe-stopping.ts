import { setImmediate } from "node:timers/promises";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import { describe, expect, test } from "vitest";
import { type AgentContract, expectSound, promptWith } from "./agent-contract.ts";
import type { AgentHarness } from "./agent-harness.ts";
import type { ProvokingMessage } from "./agent-scenario.ts";
import { eventually } from "./eventually.ts";
import { expectCreated, expectProvoked } from "./expect-provoked.ts";

const ROUNDS_FOR_LATE_EVENTS = 20;

type Reached = (contract: AgentContract, harness: AgentHarness, by: ProvokingMessage) => Promise<unknown>;

/** The moments at which an agent is interrupted; each settles in the middle of the turn. */
const moments = {
  interruptText: (_contract, harness) => firstAgentDelta(harness),
  interruptTool: (contract, _harness, by) => eventually(() => expectRunning(contract, by, true)),
  interruptForks: (contract, _harness, by) => eventually(() => expectRunning(contract, by, true)),
  interruptPermission: (_contract, harness) => harness.next("permission.requested"),
  interruptQuestion: (_contract, harness) => harness.next("question.requested"),
  interruptHang: (_contract, harness) => firstAgentDelta(harness),
} as const satisfies Record<string, Reached>;

/** Interrupting and closing, at the worst moments. */
export function describeStopping(contract: AgentContract): void {
  describe("is stopped:", () => {
    for (const name of Object.keys(moments) as (keyof typeof moments)[]) {
      contract.feature(name, async (by) => {
        const harness = await contract.open(by);
        const turn = promptWith(harness, by);
        await moments[name](contract, harness, by);
        await harness.interrupt();
        expect((await turn).outcome.reason).toBe("interrupted");
        expectSound(harness);
        expectCreated(harness, by, false);
        await eventually(() => expectRunning(contract, by, false));
        await contract.expectUsable(harness);
      });
    }

    test("is interrupted while nothing runs, which does nothing", async () => {
      const harness = await contract.open();
      const before = harness.events.length;
      await harness.interrupt();
      expect(harness.events.length).toBe(before);
      await contract.expectUsable(harness);
    });

    test("is closed twice, and before any prompt", async () => {
      const harness = await contract.open();
      await harness.close();
      await harness.close();
      expectSound(harness);
    });

    contract.feature("closeText", async (by) => {
      const harness = await contract.open(by);
      await closeDuring(harness, by, () => firstAgentDelta(harness));
    });

    contract.feature("closeTool", async (by) => {
      const harness = await contract.open(by);
      await closeDuring(harness, by, () => eventually(() => expectRunning(contract, by, true)));
      await expectRunning(contract, by, false);
      if (!contract.adapter.capabilities.sharedProcess) expect(await contract.world.processes()).toEqual([]);
    });

    contract.feature("closeForks", async (by) => {
      const harness = await contract.open(by);
      expectProvoked(await promptWith(harness, by), by);
      await harness.close();
      await expectRunning(contract, by, false);
    });
  });
}

/** The prompt rejects, and nothing is emitted any more. */
async function closeDuring(
  harness: AgentHarness,
  by: ProvokingMessage,
  reached: () => Promise<unknown>,
): Promise<void> {
  const rejected = expect(promptWith(harness, by)).rejects.toBeInstanceOf(SandboxError);
  await reached();
  await harness.close();
  await rejected;
  for (let round = 0; round < ROUNDS_FOR_LATE_EVENTS; round += 1) await setImmediate();
  expectSound(harness);
}

export async function firstAgentDelta(harness: AgentHarness): Promise<void> {
  while ((await harness.next("item.delta")).source !== "agent");
}

export async function expectRunning(
  { world }: AgentContract,
  { runs }: ProvokingMessage,
  expected: boolean,
): Promise<void> {
  if (runs === undefined) return;
  const lines = (await world.processes()).map(({ commandLine }) => commandLine);
  expect(
    lines.some((line) => line.startsWith(runs)),
    lines.join("\n"),
  ).toBe(expected);
}
