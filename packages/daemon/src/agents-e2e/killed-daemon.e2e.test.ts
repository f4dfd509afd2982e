/**
 * Feared: an agent that passes alone and fails in the house: a stream that stops at the door, a permission nobody can
 * answer over HTTP, a conversation that is lost when the daemon is killed, a process that outlives everything.
 */
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { AgentScenario, ProvokingMessage } from "@sandbox-agent-ts/agents/contract";
import type { UniversalEvent } from "@sandbox-agent-ts/protocol";
import { expect } from "vitest";
import { agentProcesses } from "../__fixtures__/agent-processes.ts";
import { agentText, type Client, ofType, session } from "../__fixtures__/client.ts";
import type { DaemonProcess } from "../__fixtures__/daemon-process.ts";
import { agentTest } from "./__fixtures__/agent-test.ts";
import { type AgentWorld, makeAgentWorld } from "./__fixtures__/agent-world.ts";
import { type AgentUnderTest, agentsUnderTest } from "./__fixtures__/scenarios.ts";

const id = "the-conversation";

for (const agent of await agentsUnderTest()) {
  agentTest(agent, "text", "a conversation lives through a killed daemon", async (text) =>
    live(agent, text, await makeAgentWorld(agent)),
  );
}

async function live({ adapter, scenario }: AgentUnderTest, text: ProvokingMessage, world: AgentWorld): Promise<void> {
  const first = await world.startDaemon();
  await first.client.create(id, { agent: adapter.id, directory: world.directory });
  await expectAnswered(first.client, text);
  await expectPermission(first.client, world, scenario);
  const { nativeSessionId } = await first.client.info(id);
  expect(nativeSessionId).toBeTruthy();
  const left = await killInTurn(first, world, scenario);

  const second = await world.startDaemon();
  await expectTurnLost(second.client);
  expect(pidsOf(world).filter((pid) => left.includes(pid))).toEqual([]);
  await expectAnswered(second.client, text);
  expectRemembered(world, text);
  await expectStillAllowed(second.client, world, scenario);
  expect((await second.client.info(id)).nativeSessionId).toBe(nativeSessionId);
  expect(ofType(await second.client.soundLog(id), "agent.unparsed")).toEqual([]);

  expect((await second.client.call("POST", `${session(id)}/terminate`)).status).toBe(204);
  if (!adapter.capabilities.sharedProcess) expect(pidsOf(world)).toEqual([]);
  await second.client.soundLog(id);
  await second.stop();
  expect(pidsOf(world)).toEqual([]);
}

/** Answers the processes that outlived the daemon. */
async function killInTurn(daemon: DaemonProcess, world: AgentWorld, { provoke }: AgentScenario): Promise<number[]> {
  const slow = provoke.interruptText;
  if ("skip" in slow) throw new Error(`An agent without interruptText: ${slow.skip}`);
  const turn = await daemon.client.startTurn(id, slow.message);
  await turn.until((event) => event.type === "item.delta" && event.source === "agent");
  await daemon.kill();
  await turn.closed;
  return pidsOf(world);
}

async function expectTurnLost(client: Client): Promise<void> {
  const metadata = endOf(await client.soundLog(id));
  expect(metadata).toMatchObject({ reason: "error", message: expect.stringContaining("daemon restarted") });
}

function pidsOf({ dataDir }: AgentWorld): number[] {
  return agentProcesses(dataDir).map(({ pid }) => pid);
}

async function expectAnswered(client: Client, { message, replies }: ProvokingMessage): Promise<void> {
  const events = await client.turn(id, message);
  expect(endOf(events)).toMatchObject({ reason: "completed" });
  expect(agentText(events)).toContain(replies);
}

/** Asked on the stream, answered over HTTP, done: for always, where the agent can be made to remember it. */
async function expectPermission(client: Client, { directory }: AgentWorld, { provoke }: AgentScenario): Promise<void> {
  const { permissionOnce, alwaysAfterRestart } = provoke;
  const by = "skip" in alwaysAfterRestart ? permissionOnce : alwaysAfterRestart;
  if ("skip" in by) return;
  const turn = await client.startTurn(id, by.message);
  const asked = (await turn.until(({ type }) => type === "permission.requested")).at(-1)!;
  expect((await client.info(id)).status).toBe("waiting");
  const { permission_id } = asked.data as { permission_id: string };
  const reply = await client.call("POST", `${session(id)}/permissions/${permission_id}/reply`, {
    reply: by === alwaysAfterRestart ? "always" : "once",
  });
  expect(reply.status, reply.text).toBe(204);
  expect(await turn.closed).toBe("ended");
  expect(endOf(turn.events)).toMatchObject({ reason: "completed" });
  if (by.creates !== undefined) expect(existsSync(join(directory, by.creates))).toBe(true);
}

async function expectStillAllowed(
  client: Client,
  { directory }: AgentWorld,
  { provoke }: AgentScenario,
): Promise<void> {
  const by = provoke.alwaysAfterRestart;
  if ("skip" in by) return;
  if (by.creates !== undefined) rmSync(join(directory, by.creates));
  const turn = await client.startTurn(id, by.message);
  await turn.until(({ type }) => type === "permission.requested" || type === "turn.ended");
  expect(ofType(turn.events, "permission.requested"), "nobody is asked").toEqual([]);
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
