/** Feared: an agent that takes its session, other sessions or the daemon with it. */
import { SandboxError } from "@sandbox-agent-ts/protocol";
import { expect, test } from "vitest";
import { agentProcesses } from "../__fixtures__/agent-processes.ts";
import { agentText, ofType, session } from "../__fixtures__/client.ts";
import { stubAgent } from "../__fixtures__/stub-agent.ts";
import { startTestDaemon } from "../__fixtures__/test-daemon.ts";

test("an agent that dies ends its turn with what it said last, and nothing else", async () => {
  const { client } = await startTestDaemon();
  await client.create("s", { agent: "fake" });
  await client.create("other", { agent: "fake" });
  const bystander = client.turn("other", "slow 20 10");
  await client.turn("s", "stderr 3");
  const events = await client.turn("s", "crash 7");
  const [error] = ofType(events, "error");
  expect(error?.data).toMatchObject({ code: "agent_process_exited", details: { exitCode: 7, signal: null } });
  expect(JSON.stringify(error?.data.details)).toContain("stderr line 3");
  expect(events.at(-1)).toMatchObject({ type: "turn.ended", data: { metadata: { reason: "error" } } });
  expect(agentText(await client.turn("s", "hello again"))).toBe("hello again");
  expect((await bystander).at(-1)).toMatchObject({ data: { metadata: { reason: "completed" } } });
  await client.soundLog("s");
  await client.soundLog("other");
});

test("an agent that dies between turns is started anew by the next message", async () => {
  const { client, dataDir } = await startTestDaemon();
  await client.create("s", { agent: "fake" });
  await client.turn("s", "hello");
  const [first] = agentProcesses(dataDir);
  process.kill(first!.pid, "SIGKILL");
  const events = await client.turn("s", "hello again");
  if (events.at(-1)?.type === "turn.ended" && ofType(events, "error").length > 0) await client.turn("s", "once more");
  expect(agentProcesses(dataDir).map(({ pid }) => pid)).not.toContain(first!.pid);
  await client.soundLog("s");
});

test("an agent that dies again and again does not wear the session out", async () => {
  const { client } = await startTestDaemon();
  await client.create("s", { agent: "fake" });
  for (let n = 0; n < 5; n++) await client.turn("s", `crash ${n + 1}`);
  const ends = ofType(await client.soundLog("s"), "turn.ended");
  expect(ends.map(({ data }) => data.metadata.reason)).toEqual(new Array(5).fill("error"));
});

test("an agent that cannot be opened ends the turn with its sentence", async () => {
  const broken = stubAgent("broken", {
    open: async () => {
      throw new SandboxError("agent_process_exited", "Sign in first.");
    },
  });
  const { client } = await startTestDaemon({ extraAgents: [broken] });
  await client.call("POST", session("s"), { agent: "broken" });
  const events = await client.turn("s", "hello");
  expect(ofType(events, "error")[0]?.data).toMatchObject({ message: "Sign in first.", code: "agent_process_exited" });
  expect(events.at(-1)).toMatchObject({ data: { metadata: { reason: "error", message: "Sign in first." } } });
  await client.soundLog("s");
});

test("an agent that throws what it likes does the same", async () => {
  const broken = stubAgent("broken", {}, { prompt: () => Promise.reject("a plain text") });
  const { client } = await startTestDaemon({ extraAgents: [broken] });
  await client.create("s", { agent: "broken" });
  const events = await client.turn("s", "hello");
  expect(ofType(events, "error")[0]?.data.message).toBe("a plain text");
  await client.soundLog("s");
});
