/** Feared: a client that has to know which agent it talks to. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { AgentScenario, ModelScript, Provocation, ProvokingMessage } from "@sandbox-agent-ts/agents/contract";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../__fixtures__/temporary-directory.ts";
import { AGENT_TIMEOUT_MS } from "./__fixtures__/agent-test.ts";
import { makeAgentsWorld } from "./__fixtures__/agent-world.ts";
import { agentsUnderTest } from "./__fixtures__/scenarios.ts";

const example = fileURLToPath(new URL("../../../../examples/every-agent.mjs", import.meta.url));

test("one example runs with every agent and prints the same shape for all", { timeout: AGENT_TIMEOUT_MS }, async () => {
  const agents = (await agentsUnderTest()).filter(({ adapter }) => adapter.id !== "fake");
  const world = await makeAgentsWorld(agents, tourOf);
  const daemon = await world.startDaemon();
  const { code, output } = await runExample(daemon.url);
  expect(code, output).toBe(0);
  for (const { adapter, scenario } of agents) {
    const part = output.split(/^## /m).find((text) => text.startsWith(`${adapter.displayName}\n`));
    expectTour(part ?? `no ${adapter.displayName}`, scenario);
  }
});

function expectTour(part: string, { provoke }: AgentScenario): void {
  const [first = "", second = ""] = part.split(/^— (?=completed|interrupted|error)/m);
  expect(first).toMatch(/^user +Run the shell command/m);
  expect(first).toMatch(/^tool_call +\S+ \{/m);
  const { script, results } = doable(provoke.command);
  expect(first.split(/^tool_result +/m)[1]).toContain(script ? results : "hello from the tour");
  expect(first).toMatch(/^assistant +\S/m);
  expect(second).toMatch(/^completed/);
  expect(second).toMatch(/^user +Tell me a long story/m);
  expect(part).toMatch(/^— interrupted/m);
}

/** What the model of an agent says on the tour, with the tools that its scenario knows. */
function tourOf({ provoke }: AgentScenario): ModelScript {
  const steps = (provocation: Provocation) => doable(provocation).script ?? [];
  return {
    conversations: [
      { name: "command", when: { prompt: "hello from the tour" }, steps: steps(provoke.command) },
      { name: "story", when: { prompt: "about a lighthouse" }, steps: steps(provoke.interruptText) },
    ],
  };
}

function doable(provocation: Provocation): ProvokingMessage {
  if ("skip" in provocation) throw new Error(`An agent that cannot go on the tour: ${provocation.skip}`);
  return provocation;
}

async function runExample(url: string): Promise<{ code: number; output: string }> {
  const outfile = join(temporaryDirectory(), "every-agent.mjs");
  await build({
    entryPoints: [example],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["@sandbox-agent-ts/source"],
  });
  const child = spawn(process.execPath, [outfile], { env: { PATH: process.env.PATH, SANDBOX_AGENT_URL: url } });
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code, output: output + errors };
}
