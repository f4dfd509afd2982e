/** Feared: a turn that cannot be stopped, or that takes the session with it. */
import type { AgentAdapter } from "@sandbox-agent-ts/agents";
import { MemoryStore } from "@sandbox-agent-ts/store";
import { expect, test } from "vitest";
import { agentText, ofType, session } from "../__fixtures__/client.ts";
import { openSessions } from "../__fixtures__/open-sessions.ts";
import { stubAgent } from "../__fixtures__/stub-agent.ts";
import { startTestDaemon } from "../__fixtures__/test-daemon.ts";

const stop = (id: string) => ["POST", `${session(id)}/interrupt`] as const;

test.each([
  ["mock", "slow 1000 20"],
  ["fake", "slow 1000 20"],
  ["mock", "permission"],
  ["fake", "permission"],
  ["mock", "question"],
  ["mock", "burst 1000000 100"],
  ["fake", "flood 10000000 100"],
])("%s in the middle of %s: the turn ends as interrupted and the session goes on", async (agent, message) => {
  const { client } = await startTestDaemon();
  await client.create("s", { agent });
  const reader = await client.follow("s");
  await client.message("s", message);
  await reader.until((event) => event.source === "agent");
  expect((await client.call(...stop("s"))).status).toBe(204);
  expect((await client.info("s")).status).toBe("idle");
  const log = await client.soundLog("s");
  expect(log.at(-1)).toMatchObject({ type: "turn.ended", data: { metadata: { reason: "interrupted" } } });
  expect(agentText(await client.turn("s", "hello again"))).toBe("hello again");
  reader.drop();
});

test("only the running turn: those behind it run", async () => {
  const { client } = await startTestDaemon();
  await client.create("s");
  const reader = await client.follow("s");
  await client.message("s", "permission");
  await reader.until((event) => event.type === "permission.requested");
  const next = client.turn("s", "echo next");
  await client.call(...stop("s"));
  expect(agentText(await next)).toBe("next");
  const reasons = ofType(await client.soundLog("s"), "turn.ended").map(({ data }) => data.metadata.reason);
  expect(reasons).toEqual(["interrupted", "completed"]);
});

test("many at once are one", async () => {
  const { client } = await startTestDaemon();
  await client.create("s", { agent: "fake" });
  const turn = client.turn("s", "slow 1000 20");
  const reader = await client.follow("s");
  await reader.until((event) => event.type === "item.delta" && event.source === "agent");
  const all = await Promise.all(Array.from({ length: 10 }, () => client.call(...stop("s"))));
  expect(all.map(({ status }) => status)).toEqual(new Array(10).fill(204));
  expect((await turn).at(-1)).toMatchObject({ data: { metadata: { reason: "interrupted" } } });
});

test("of a session at rest does nothing, of an unknown one is 404", async () => {
  const { client } = await startTestDaemon();
  await client.create("s");
  expect((await client.call(...stop("s"))).status).toBe(204);
  expect(await client.events("s")).toHaveLength(1);
  expect((await client.call(...stop("none"))).status).toBe(404);
});

test("an agent that does not listen is closed after a while, and opened anew for the next turn", async () => {
  let opened = 0;
  let onPrompt = () => {};
  const prompted = new Promise<void>((resolve) => {
    onPrompt = resolve;
  });
  const prompt = () => {
    onPrompt();
    return new Promise<never>(() => {});
  };
  const deaf = stubAgent("deaf", {}, { prompt });
  const patient = stubAgent("patient", {});
  const adapter: AgentAdapter = { ...deaf, open: (options) => (opened++ === 0 ? deaf : patient).open(options) };
  const sessions = openSessions(new MemoryStore(), adapter, { interruptLimitMs: 30 });
  const { session } = await sessions.create("s", { agent: "deaf" });
  await session.admit({ message: "hello" });
  await prompted;
  await session.interrupt();
  expect(session.recorder.state.turnId).toBeNull();
  const turn = await session.admit({ message: "again" });
  for await (const chunk of session.log.follow(turn.after, { signal: new AbortController().signal, raw: false })) {
    if (chunk.text.includes(`"phase":"ended","turn_id":"${turn.turnId}","metadata":{"reason":"completed"`)) break;
  }
  expect(opened).toBe(2);
});
