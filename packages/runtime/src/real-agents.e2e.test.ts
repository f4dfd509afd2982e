/**
 * Feared: a new sandbox in which the agent has forgotten the conversation, or is told it as if it were another's. Every agent
 * that can be given a conversation natively goes on with it after its sandbox was lost.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ProvokingMessage, scriptOf } from "@sandbox-agent-ts/agents/contract";
import { checkStream } from "@sandbox-agent-ts/protocol";
import type { SandboxAgent } from "@sandbox-agent-ts/sdk";
import { expect, onTestFinished } from "vitest";
import { agentTest } from "../../daemon/src/agents-e2e/__fixtures__/agent-test.ts";
import { programOf } from "../../daemon/src/agents-e2e/__fixtures__/agent-world.ts";
import { type AgentUnderTest, agentsUnderTest } from "../../daemon/src/agents-e2e/__fixtures__/scenarios.ts";
import { startTestRuntime, turnsOf } from "./__fixtures__/test-runtime.ts";
import { ApplicationStorage } from "./persistence/__fixtures__/application-storage.ts";

for (const agent of await agentsUnderTest()) {
  const { adapter } = agent;
  if (!adapter.restore) continue;
  agentTest(agent, "text", "goes on with conversation and files in a new sandbox", async ({ message, replies }) => {
    const { home, agentEnv, model } = await worldOf(agent);
    const { client, store, provider } = await startTestRuntime({ agentEnv, home });
    await client.createSession("s", { agent: adapter.id });
    await client.writeFsFile({ sessionId: "s", path: "notes/kept.txt" }, "kept");
    await client.postMessage("s", { message });
    const first = await turnsOf(client, "s", 1);
    expect(first.at(-1)).toMatchObject({ data: { metadata: { reason: "completed" } } });
    await expect.poll(() => store.checkpoints.checkpoints("s"), { timeout: 30_000 }).toHaveLength(1);

    const row = (await store.sandboxOf("s"))!;
    await (await provider.attach(row.providerId))!.destroy();
    await client.postMessage("s", { message });
    const all = await turnsOf(client, "s", 2);
    expect(all.at(-1)).toMatchObject({ data: { metadata: { reason: "completed" } } });
    expect(checkStream(all)).toEqual([]);
    expect((await client.getSession("s")).runtime?.sandbox).toMatchObject({ generation: 2, status: "ready" });
    expectHistory(model, message, replies);
    await expectKept(client);
  });

  agentTest(agent, "interruptText", "goes on in a new sandbox when the one before is lost in a turn", async (slow) => {
    const { message, replies } = agent.scenario.provoke.text as ProvokingMessage;
    const { home, agentEnv, model } = await worldOf(agent);
    const { client, store, provider } = await startTestRuntime({ agentEnv, home });
    await client.createSession("s", { agent: adapter.id });
    await client.writeFsFile({ sessionId: "s", path: "notes/kept.txt" }, "kept");
    await client.postMessage("s", { message });
    await turnsOf(client, "s", 1);
    await expect.poll(() => store.checkpoints.checkpoints("s"), { timeout: 30_000 }).toHaveLength(1);

    const { turnId } = await client.postMessage("s", { message: slow.message });
    let isRunning = false;
    for await (const event of client.streamEvents("s")) {
      isRunning ||= event.type === "turn.started" && event.data.turn_id === turnId;
      if (isRunning && event.type === "item.delta" && event.source === "agent") break;
    }
    await (await provider.attach((await store.sandboxOf("s"))!.providerId))!.destroy();
    expect((await turnsOf(client, "s", 2)).at(-1)).toMatchObject({
      data: {
        turn_id: turnId,
        metadata: { reason: "error", message: expect.stringContaining("The sandbox was lost") },
      },
    });
    await client.postMessage("s", { message });
    const all = await turnsOf(client, "s", 3);
    expect(all.at(-1)).toMatchObject({ data: { metadata: { reason: "completed" } } });
    expect(checkStream(all)).toEqual([]);
    expect((await client.getSession("s")).runtime?.sandbox).toMatchObject({ generation: 2, status: "ready" });
    expectHistory(model, message, replies);
    await expectKept(client);
  });

  agentTest(agent, "text", "goes on with what only the application has kept", async ({ message, replies }) => {
    const { home, agentEnv, model } = await worldOf(agent);
    const persistence = new ApplicationStorage();
    const first = await startTestRuntime({ agentEnv, home, persistence });
    await first.client.createSession("s", { agent: adapter.id });
    await first.client.postMessage("s", { message });
    await turnsOf(first.client, "s", 1);
    await first.runtime.sessions.unloadSession("s");
    expect(persistence.sessions.get("s")?.rawTranscript).toContain(message);

    const { client } = await startTestRuntime({ agentEnv, home, persistence });
    await client.postMessage("s", { message });
    const all = await turnsOf(client, "s", 2);
    expect(all.at(-1)).toMatchObject({ data: { metadata: { reason: "completed" } } });
    expect(checkStream(all)).toEqual([]);
    expectHistory(model, message, replies);
  });
}

async function expectKept(client: SandboxAgent): Promise<void> {
  const kept = await client.readFsFile({ sessionId: "s", path: "notes/kept.txt" });
  expect(new TextDecoder().decode(kept)).toBe("kept");
}

/** A home and an environment in which the agent finds its scripted model. */
async function worldOf({ adapter, scenario }: AgentUnderTest) {
  const home = join(mkdtempSync(join(tmpdir(), "runtime-agent-")), "home");
  mkdirSync(home);
  onTestFinished(() => rmSync(join(home, ".."), { recursive: true, force: true, maxRetries: 3 }));
  const prepared = (await scenario.prepare?.({ home, script: scriptOf(scenario) })) ?? {};
  onTestFinished(() => prepared.dispose?.());
  const agentEnv = { ...prepared.env, ...(await programOf(adapter)) };
  return { home, agentEnv, model: prepared.model };
}

/** The model was told the whole conversation with the last message. */
function expectHistory(model: Awaited<ReturnType<typeof worldOf>>["model"], message: string, replies = ""): void {
  if (!model) return;
  const last = model.requests.findLast(({ messages }) => messages.some(({ text }) => text.includes(message)));
  const said = last?.messages.map(({ text }) => text).join("\n") ?? "";
  expect(said.split(message).length - 1, "times the model sees that it was asked").toBe(2);
  expect(said).toContain(replies);
}
