import { existsSync } from "node:fs";
import { join } from "node:path";
import { type ScriptedModel, startModel } from "@sandbox-agent-ts/testing";
import { expect, onTestFinished, test } from "vitest";
import type { AgentAdapter } from "../../agent.ts";
import { AgentHarness } from "../../contract/agent-harness.ts";
import type { AgentScenario } from "../../contract/agent-scenario.ts";
import { makeContractWorld } from "../../contract/contract-world.ts";
import { featureNames } from "../../contract/features.ts";
import type { ModelStep } from "../../contract/model-script.ts";
import { answerNextPermission } from "../../contract/person.ts";
import { assistantText } from "../../contract/stream-readers.ts";
import { whyProgramIsMissing } from "../../contract/why-program-is-missing.ts";

const TIMEOUT_MS = 120_000;
const MADE = "made.txt";

const provoke = Object.fromEntries(
  featureNames.map((name) => [name, { skip: "the agent's own folder has the suite" }]),
) as unknown as AgentScenario["provoke"];

export interface SecondWay {
  /** The step by which the model makes the agent run this command, so that a person is asked. */
  asks(command: string): ModelStep;
  prepare(model: ScriptedModel, home: string): Promise<Readonly<Record<string, string>>>;
}

/**
 * For an adapter of somebody else over an agent that has its own folder and its whole suite there: that it starts, speaks,
 * asks, and takes a conversation up again, with the real programs.
 */
export async function describeSecondWay(adapter: AgentAdapter, { asks, prepare }: SecondWay): Promise<void> {
  const problem = adapter.program && (await whyProgramIsMissing(adapter.program));
  const reason = problem === undefined ? "" : ` (skipped: ${problem})`;

  test.skipIf(problem !== undefined)(
    `${adapter.id} asks, works, and goes on after a restart${reason}`,
    { timeout: TIMEOUT_MS },
    async () => {
      const conversations = [
        {
          name: "make",
          when: { prompt: "Make a file" },
          steps: [asks(`echo made > ${MADE}`), { text: "It is made." }],
        },
        { name: "recall", when: { prompt: "What have you done" }, steps: [{ text: "I made it." }] },
      ];
      const model = await startModel({ script: { conversations } });
      const world = await makeContractWorld({
        provoke,
        prepare: async ({ home }) => ({ env: await prepare(model, home), dispose: () => model.close() }),
      });
      onTestFinished(() => world.dispose());
      await world.installProgramOf(adapter);
      const directory = await world.makeDirectory({});
      const harness = await AgentHarness.open(adapter, { directory }, { host: world.host });
      onTestFinished(() => harness.dispose());

      const turn = harness.prompt("Make a file");
      await answerNextPermission(harness, "once", () => expect(existsSync(join(directory, MADE))).toBe(false));
      const { outcome, events } = await turn;
      expect(outcome).toMatchObject({ reason: "completed", usage: { input_tokens: expect.any(Number) } });
      expect(assistantText(events)).toContain("It is made.");
      expect(existsSync(join(directory, MADE))).toBe(true);

      await harness.reopen();
      expect(assistantText((await harness.prompt("What have you done")).events)).toContain("I made it.");
      const told = JSON.stringify(model.requests.at(-1)?.messages);
      expect(told).toContain("It is made.");
      expect(harness.breaches).toEqual([]);
    },
  );
}
