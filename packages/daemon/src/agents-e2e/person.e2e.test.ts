/** Feared: a person at the other end of HTTP who is asked in vain, answers in vain, or cannot stop what they started. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { ModelWitness, ProvokingMessage } from "@sandbox-agent-ts/agents/contract";
import type { EventOf } from "@sandbox-agent-ts/protocol";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { SharedEnd } from "../__fixtures__/at-end.ts";
import { type Client, ofType, session } from "../__fixtures__/client.ts";
import { AGENT_TIMEOUT_MS, agentTest } from "./__fixtures__/agent-test.ts";
import { type AgentWorld, makeAgentWorld } from "./__fixtures__/agent-world.ts";
import { agentsUnderTest } from "./__fixtures__/scenarios.ts";

for (const agent of await agentsUnderTest()) {
  describe(agent.adapter.id, () => {
    const shared = new SharedEnd();
    let world: AgentWorld;
    let client: Client;
    let sessions = 0;
    beforeAll(async () => {
      world = await makeAgentWorld(agent, shared.atEnd);
      client = (await world.startDaemon()).client;
    }, AGENT_TIMEOUT_MS);
    afterAll(() => shared.undoAll());

    const open = async (config: object | undefined): Promise<string> => {
      sessions += 1;
      const directory = join(world.directory, `${sessions}`);
      mkdirSync(directory);
      await client.create(`conversation-${sessions}`, { agent: agent.adapter.id, directory, ...config });
      return `conversation-${sessions}`;
    };

    agentTest(agent, "reasoning", "its reasoning is streamed", async (by) => {
      const id = await open(by.session);
      const events = await client.turn(id, by.message);
      expect(JSON.stringify(events)).toContain(by.thinks ?? '"reasoning"');
      expect(await endOf(client, id)).toBe("completed");
    });

    for (const permissionMode of agent.adapter.permissionModes.filter(
      (mode) => mode === "default" || mode === "plan",
    )) {
      for (const feature of ["imageAttachment", "fileAttachment"] as const) {
        agentTest(agent, feature, `${feature} as bytes reaches the model in mode ${permissionMode}`, async (by) => {
          const id = await open({ ...by.session, permissionMode });
          const message = `${by.message} (${id})`;
          await sendBytes(client, id, message, by);
          expect(await endOf(client, id)).toBe("completed");
          if (world.model) expectSeen(world.model, message, by);
        });
      }
    }

    agentTest(agent, "questionAnswer", "a question is answered", async (by) => {
      const id = await open(by.session);
      const turn = await client.startTurn(id, by.message);
      const asked = await turn.until(({ type }) => type === "question.requested");
      const { question_id, questions = [] } = ofType(asked, "question.requested").at(-1)!.data;
      const answers = (questions ?? []).map(({ options }) => [options[0]!.label]);
      await expectTaken(client, `${session(id)}/questions/${question_id}/reply`, { answers });
      await turn.closed;
      expect(ofType(turn.events, "question.resolved").at(-1)?.data).toMatchObject({ status: "answered", answers });
      expect(await endOf(client, id)).toBe("completed");
    });

    agentTest(agent, "planApprove", "a plan is approved", async (by) => {
      const id = await open(by.session);
      const turn = await client.startTurn(id, by.message);
      const asked = await turn.until(({ type }) => type === "question.requested");
      const { question_id, options } = ofType(asked, "question.requested").at(-1)!.data;
      await expectTaken(client, `${session(id)}/questions/${question_id}/reply`, { answers: [[options[0]]] });
      await turn.closed;
      expect(await endOf(client, id)).toBe("completed");
    });

    agentTest(agent, "interruptPermission", "a permission that waits is interrupted", async (by) => {
      const id = await open(by.session);
      const turn = await client.startTurn(id, by.message);
      await turn.until(({ type }) => type === "permission.requested");
      await expectTaken(client, `${session(id)}/interrupt`);
      await turn.closed;
      expect(ofType(turn.events, "permission.resolved").map(({ data }) => data.status)).toEqual(["denied"]);
      expect(await endOf(client, id)).toBe("interrupted");
    });

    agentTest(agent, "interruptText", "a text is interrupted, and the queue goes on", async (by) => {
      const id = await open(by.session);
      const turn = await client.startTurn(id, by.message);
      await turn.until(({ type, source }) => type === "item.delta" && source === "agent");
      const { text } = agent.scenario.provoke;
      if ("skip" in text) throw new Error(`An agent without text: ${text.skip}`);
      const queued = await client.startTurn(id, text.message);
      await expectTaken(client, `${session(id)}/interrupt`);
      expect(await queued.closed).toBe("ended");
      const ends = ofType(await client.soundLog(id), "turn.ended").map(reasonOf);
      expect(ends).toEqual(["interrupted", "completed"]);
    });
  });
}

/** The files of a message as `data:` URLs, until its turn is over. */
async function sendBytes(client: Client, id: string, message: string, by: ProvokingMessage): Promise<void> {
  const attachments = (by.attach ?? []).map(({ file, mime }) => {
    const content = Buffer.from(by.files?.[file] ?? "content").toString("base64");
    return { url: `data:${mime};base64,${content}`, filename: file };
  });
  const reader = await client.follow(id);
  const { status, text } = await client.call("POST", `${session(id)}/messages`, { message, attachments });
  expect(status, text).toBe(202);
  await reader.until(({ type }) => type === "turn.ended");
}

/** An image is in the request; of another file its content or its name, so that the model can read it. */
function expectSeen(model: ModelWitness, message: string, by: ProvokingMessage): void {
  const about = model.requests.flatMap(({ messages }) => messages).filter(({ text }) => text.includes(message));
  expect(about.length, "requests with the message").toBeGreaterThan(0);
  if (by.modelSees === undefined) expect(about.flatMap(({ images }) => images)).not.toEqual([]);
  else expect(about.map(({ text }) => text).join("\n")).toContain(by.modelSees);
}

async function expectTaken(client: Client, path: string, body: object = {}): Promise<void> {
  const answer = await client.call("POST", path, body);
  expect(answer.status, answer.text).toBe(204);
}

/** How the last turn of a sound log ended. */
async function endOf(client: Client, id: string): Promise<string | undefined> {
  const events = await client.soundLog(id);
  expect(ofType(events, "agent.unparsed")).toEqual([]);
  return reasonOf(ofType(events, "turn.ended").at(-1));
}

function reasonOf(ended: EventOf<"turn.ended"> | undefined): string | undefined {
  return ended?.data.metadata?.reason as string | undefined;
}
