/**
 * Feared: an agent that passes alone and fails in the house: a stream that stops at the door, a permission nobody can
 * answer over HTTP, a conversation that is lost when the daemon is killed, a process that outlives everything.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { AgentScenario, ProvokingMessage } from "@sandbox-agent/agents/contract";
import type { UniversalEvent } from "@sandbox-agent/protocol";
import { expect, test } from "vitest";
import { agentProcesses } from "../__fixtures__/agent-processes.ts";
import { agentText, type Client, ofType, session } from "../__fixtures__/client.ts";
import { type AgentWorld, makeAgentWorld } from "./__fixtures__/agent-world.ts";
import { agentsUnderTest } from "./__fixtures__/scenarios.ts";

/** Real programs, the first time with their installation. */
const TIMEOUT_MS = 300_000;
const id = "the-conversation";

const agents = (await agentsUnderTest()).map((agent) => ({ name: agent.adapter.id, ...agent }));

test.each(agents)("$name: a conversation lives through a killed daemon", { timeout: TIMEOUT_MS }, async (agent) => {
  const world = await makeAgentWorld(agent);
  const [text, slow] = [provocation(agent.scenario, "text"), provocation(agent.scenario, "interruptText")];
  const first = await world.startDaemon();
  await first.client.create(id, { agent: agent.name, directory: world.directory });

  await expectAnswered(first.client, text);
  await expectPermission(first.client, world, agent.scenario);
  const before = await first.client.info(id);
  expect(before.nativeSessionId).toBeTruthy();

  const turn = await first.client.startTurn(id, slow.message);
  await turn.until((event) => event.type === "item.delta" && event.source === "agent");
  await first.kill();
  await turn.closed;
  const left = agentProcesses(world.dataDir).map(({ pid }) => pid);

  const second = await world.startDaemon();
  const lost = ofType(await second.client.soundLog(id), "turn.ended").at(-1);
  expect(lost?.data.metadata).toMatchObject({ reason: "error", message: expect.stringContaining("daemon restarted") });
  const living = agentProcesses(world.dataDir).map(({ pid }) => pid);
  expect(living.filter((pid) => left.includes(pid))).toEqual([]);

  await expectAnswered(second.client, text);
  expect((await second.client.info(id)).nativeSessionId).toBe(before.nativeSessionId);
  expectRemembered(world, text);
  expect(ofType(await second.client.soundLog(id), "agent.unparsed")).toEqual([]);

  expect((await second.client.call("POST", `${session(id)}/terminate`)).status).toBe(204);
  if (!agent.adapter.capabilities.sharedProcess) expect(agentProcesses(world.dataDir)).toEqual([]);
  await second.client.soundLog(id);
  await second.stop();
  expect(agentProcesses(world.dataDir)).toEqual([]);
});

function provocation({ provoke }: AgentScenario, name: "text" | "interruptText"): ProvokingMessage {
  const found = provoke[name];
  if ("skip" in found) throw new Error(`An agent without ${name}: ${found.skip}`);
  return found;
}

async function expectAnswered(client: Client, { message, replies }: ProvokingMessage): Promise<void> {
  const events = await client.turn(id, message);
  expect(endOf(events)).toMatchObject({ reason: "completed" });
  expect(agentText(events)).toContain(replies);
}

/** Asked on the stream, answered over HTTP, done. */
async function expectPermission(client: Client, { directory }: AgentWorld, { provoke }: AgentScenario): Promise<void> {
  const by = provoke.permissionOnce;
  if ("skip" in by) return;
  const turn = await client.startTurn(id, by.message);
  const asked = (await turn.until(({ type }) => type === "permission.requested")).at(-1)!;
  expect((await client.info(id)).status).toBe("waiting");
  const { permission_id } = asked.data as { permission_id: string };
  const reply = await client.call("POST", `${session(id)}/permissions/${permission_id}/reply`, { reply: "once" });
  expect(reply.status, reply.text).toBe(204);
  expect(await turn.closed).toBe("ended");
  expect(endOf(turn.events)).toMatchObject({ reason: "completed" });
  if (by.creates !== undefined) expect(existsSync(join(directory, by.creates))).toBe(true);
}

/** The last request for the text tells the model also that it was asked for before the daemon was killed. */
function expectRemembered({ model }: AgentWorld, { message, replies }: ProvokingMessage): void {
  if (!model) return;
  const last = model.requests.findLast(({ messages }) => messages.some(({ text }) => text.includes(message)));
  const said = last?.messages.map(({ text }) => text).join("\n") ?? "";
  expect(said.split(message).length - 1, "times the text was asked for").toBe(2);
  expect(said).toContain(replies);
}

function endOf(events: readonly UniversalEvent[]): unknown {
  return ofType(events, "turn.ended").at(-1)?.data.metadata;
}
