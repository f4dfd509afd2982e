import { randomUUID } from "node:crypto";
import { createSupervisor, type Supervisor } from "@sandbox-agent-ts/agents";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openFakeSession, silentLog } from "./__fixtures__/open-fake-session.ts";

let supervisor: Supervisor;
beforeEach(() => {
  supervisor = createSupervisor({ recordDir: null, owner: randomUUID(), log: silentLog });
});
afterEach(() => supervisor.close());

test("turns run in one process, which is started by the first of them", async () => {
  const fake = await openFakeSession(supervisor);
  expect(fake.processes).toHaveLength(0);
  expect(await fake.prompt("hello wide world")).toEqual({ reason: "completed" });
  expect(fake.events.map((event) => event.type)).toEqual([
    "item.started",
    "item.delta",
    "item.delta",
    "item.delta",
    "item.completed",
  ]);
  expect(fake.text()).toBe("hello wide world");
  expect(fake.nativeIds).toEqual([expect.stringMatching(/^fake-/)]);
  await fake.prompt("again");
  expect(fake.processes).toHaveLength(1);
  expect(fake.events.at(-1)?.data).toMatchObject({ item: { item_id: "i2" } });
});

test("an earlier conversation is gone on with", async () => {
  const fake = await openFakeSession(supervisor, { nativeSessionId: "fake-before" });
  await fake.prompt("hello");
  expect(fake.nativeIds).toEqual([]);
});

test("a flood of 20,000 arrives in order, complete, and in far fewer batches", async () => {
  const fake = await openFakeSession(supervisor);
  await fake.prompt("flood 20000 10");
  const deltas = fake.events.flatMap((event) => (event.type === "item.delta" ? [event.data.delta] : []));
  expect(deltas).toEqual(Array.from({ length: 20_000 }, (_, index) => String(index + 1).padEnd(10, "x")));
  expect(fake.events.at(-1)?.data).toMatchObject({ item: { content: [{ type: "text", text: deltas.join("") }] } });
  expect(fake.emitCount()).toBeLessThan(2_000);
});

test("an interrupt ends the turn, and the next one runs in the same process", async () => {
  const fake = await openFakeSession(supervisor);
  const turn = fake.prompt("slow 1000 20");
  await fake.event("item.delta");
  await fake.session.interrupt();
  expect(await turn).toEqual({ reason: "interrupted" });
  expect(await fake.prompt("hello")).toEqual({ reason: "completed" });
  expect(fake.processes).toHaveLength(1);
});

test("an interrupt without a turn does nothing", async () => {
  const fake = await openFakeSession(supervisor);
  await fake.session.interrupt();
  expect(fake.processes).toHaveLength(0);
});

test("a permission waits for its reply", async () => {
  const fake = await openFakeSession(supervisor);
  const turn = fake.prompt("permission");
  const { data } = await fake.event("permission.requested");
  expect(data).toMatchObject({ permission_id: "ip1", action: "run a command", kind: "execute", command: "echo fake" });
  await fake.session.answerPermission("ip1", "always");
  expect(await turn).toEqual({ reason: "completed" });
  expect(fake.text()).toBe("replied always");
});

test("a turn that goes wrong inside the agent resolves with its message", async () => {
  const fake = await openFakeSession(supervisor);
  expect(await fake.prompt("fail")).toEqual({ reason: "error", message: "The fake agent was told to fail." });
});

test("a line that is no JSON becomes agent.unparsed, and the turn goes on", async () => {
  const fake = await openFakeSession(supervisor);
  expect(await fake.prompt("garbage")).toEqual({ reason: "completed" });
  expect((await fake.event("agent.unparsed")).raw).toBe("this is not JSON");
  expect(fake.text()).toBe("after");
});

test("a line over the bound becomes an error event, and the turn goes on", async () => {
  const fake = await openFakeSession(supervisor, { maxLineBytes: 1024 * 1024 });
  expect(await fake.prompt("long-line 2")).toEqual({ reason: "completed" });
  expect((await fake.event("error")).data).toMatchObject({
    code: "stream_error",
    details: { bytes: 2 * 1024 * 1024 },
  });
  expect(fake.text()).toBe("after");
});

test("a crash rejects the turn with how it ended, and the next turn gets a new process", async () => {
  const fake = await openFakeSession(supervisor);
  await fake.prompt("stderr 2");
  await expect(fake.prompt("crash 9")).rejects.toMatchObject({
    code: "agent_process_exited",
    sessionId: "s1",
    details: { exitCode: 9, signal: null, stderr: { head: "stderr line 1\nstderr line 2\n", total_lines: 2 } },
  });
  expect(await fake.prompt("hello")).toEqual({ reason: "completed" });
  expect(fake.processes).toHaveLength(2);
  expect(fake.nativeIds).toHaveLength(1);
});

test("closing rejects the running turn, ends the process and is silent from then on", async () => {
  const fake = await openFakeSession(supervisor, { graceMs: 100 });
  const turn = fake.prompt("slow 1000 1");
  const rejected = expect(turn).rejects.toMatchObject({ code: "agent_process_exited" });
  await fake.event("item.delta");
  const closing = fake.session.close();
  const told = fake.events.length;
  await Promise.all([closing, fake.session.close(), rejected]);
  expect(fake.events).toHaveLength(told);
  expect(await fake.processes[0]?.exited).toMatchObject({ signal: "SIGTERM" });
  await expect(fake.prompt("late")).rejects.toMatchObject({ code: "session_ended" });
});
