/** Feared: a person at the other end of HTTP who is asked in vain, answers in vain, or cannot stop what they started. */
import type { EventOf } from "@sandbox-agent/protocol";
import { expect } from "vitest";
import { type Client, ofType, session } from "../__fixtures__/client.ts";
import { agentTest } from "./__fixtures__/agent-test.ts";
import type { AgentWorld } from "./__fixtures__/agent-world.ts";
import { agentsUnderTest } from "./__fixtures__/scenarios.ts";

const id = "the-conversation";

for (const agent of await agentsUnderTest()) {
  const open = async ({ startDaemon, directory }: AgentWorld, config: object | undefined): Promise<Client> => {
    const { client } = await startDaemon();
    await client.create(id, { agent: agent.adapter.id, directory, ...config });
    return client;
  };

  agentTest(agent, "reasoning", "its reasoning is streamed", async (by, world) => {
    const client = await open(world, by.session);
    const events = await client.turn(id, by.message);
    expect(JSON.stringify(events)).toContain(by.thinks ?? '"reasoning"');
    expect(await endOf(client)).toBe("completed");
  });

  agentTest(agent, "questionAnswer", "a question is answered", async (by, world) => {
    const client = await open(world, by.session);
    const turn = await client.startTurn(id, by.message);
    const asked = await turn.until(({ type }) => type === "question.requested");
    const { question_id, questions = [] } = ofType(asked, "question.requested").at(-1)!.data;
    const answers = (questions ?? []).map(({ options }) => [options[0]!.label]);
    await expectTaken(client, `questions/${question_id}/reply`, { answers });
    await turn.closed;
    expect(ofType(turn.events, "question.resolved").at(-1)?.data).toMatchObject({ status: "answered", answers });
    expect(await endOf(client)).toBe("completed");
  });

  agentTest(agent, "planApprove", "a plan is approved", async (by, world) => {
    const client = await open(world, by.session);
    const turn = await client.startTurn(id, by.message);
    const asked = await turn.until(({ type }) => type === "question.requested");
    const { question_id, options } = ofType(asked, "question.requested").at(-1)!.data;
    await expectTaken(client, `questions/${question_id}/reply`, { answers: [[options[0]]] });
    await turn.closed;
    expect(await endOf(client)).toBe("completed");
  });

  agentTest(agent, "interruptPermission", "a permission that waits is interrupted", async (by, world) => {
    const client = await open(world, by.session);
    const turn = await client.startTurn(id, by.message);
    await turn.until(({ type }) => type === "permission.requested");
    await expectTaken(client, "interrupt");
    await turn.closed;
    expect(ofType(turn.events, "permission.resolved").map(({ data }) => data.status)).toEqual(["denied"]);
    expect(await endOf(client)).toBe("interrupted");
  });

  agentTest(agent, "interruptText", "a text is interrupted, and the queue goes on", async (by, world) => {
    const client = await open(world, by.session);
    const turn = await client.startTurn(id, by.message);
    await turn.until(({ type, source }) => type === "item.delta" && source === "agent");
    const { text } = agent.scenario.provoke;
    if ("skip" in text) throw new Error(`An agent without text: ${text.skip}`);
    const queued = await client.startTurn(id, text.message);
    await expectTaken(client, "interrupt");
    expect(await queued.closed).toBe("ended");
    const ends = ofType(await client.soundLog(id), "turn.ended").map(reasonOf);
    expect(ends).toEqual(["interrupted", "completed"]);
  });
}

async function expectTaken(client: Client, path: string, body: object = {}): Promise<void> {
  const answer = await client.call("POST", `${session(id)}/${path}`, body);
  expect(answer.status, answer.text).toBe(204);
}

/** How the last turn of a sound log ended. */
async function endOf(client: Client): Promise<string | undefined> {
  const events = await client.soundLog(id);
  expect(ofType(events, "agent.unparsed")).toEqual([]);
  return reasonOf(ofType(events, "turn.ended").at(-1));
}

function reasonOf(ended: EventOf<"turn.ended"> | undefined): string | undefined {
  return ended?.data.metadata?.reason as string | undefined;
}
