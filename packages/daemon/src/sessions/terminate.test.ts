/** Feared: a session that cannot be ended, or that leaves a process behind. */
import { expect, test } from "vitest";
import { agentProcesses } from "../__fixtures__/agent-processes.ts";
import { codeOf, ofType, session } from "../__fixtures__/client.ts";
import { startTestDaemon } from "../__fixtures__/test-daemon.ts";

const stop = (id: string) => ["POST", `${session(id)}/terminate`] as const;

test.each([
  ["mock", "slow 1000 20"],
  ["mock", "permission"],
  ["fake", "slow 1000 20"],
  ["fake", "permission"],
  ["fake", "flood 10000000 100"],
  ["fake", "hang"],
])("%s in the middle of %s: turn, then session, then nothing; no process is left", async (agent, message) => {
  const { client, dataDir } = await startTestDaemon();
  await client.create("s", { agent });
  const reader = await client.follow("s");
  await client.message("s", message);
  await reader.until((event) => event.source === "agent");
  if (agent === "fake") expect(agentProcesses(dataDir)).toHaveLength(1);
  expect((await client.call(...stop("s"))).status).toBe(204);
  expect(agentProcesses(dataDir)).toEqual([]);
  const log = await client.soundLog("s");
  expect(log.slice(-2)).toMatchObject([
    { type: "turn.ended", data: { metadata: { reason: "interrupted" } } },
    { type: "session.ended", data: { reason: "terminated", terminated_by: "daemon" } },
  ]);
  expect(await client.info("s")).toMatchObject({ ended: true, status: "ended" });
  expect(await reader.closed).toBe("ended");
});

test.each(["grandchild", "grandchild-detached", "ignore-term"])("takes everything with it: %s", async (message) => {
  const { client, dataDir } = await startTestDaemon();
  await client.create("s", { agent: "fake" });
  await client.turn("s", message);
  expect(agentProcesses(dataDir).length).toBeGreaterThanOrEqual(message === "ignore-term" ? 1 : 2);
  expect((await client.call(...stop("s"))).status).toBe(204);
  expect(agentProcesses(dataDir)).toEqual([]);
});

test("again, and ten times at once, is the same as once", async () => {
  const { client } = await startTestDaemon();
  await client.create("s", { agent: "fake" });
  await client.turn("s", "hello");
  const all = await Promise.all(Array.from({ length: 10 }, () => client.call(...stop("s"))));
  expect(all.map(({ status }) => status)).toEqual(new Array(10).fill(204));
  expect((await client.call(...stop("s"))).status).toBe(204);
  expect(ofType(await client.soundLog("s"), "session.ended")).toHaveLength(1);
});

test("messages that waited never run", async () => {
  const { client } = await startTestDaemon();
  await client.create("s");
  await client.message("s", "permission");
  for (let n = 0; n < 5; n++) await client.message("s", "echo never");
  await client.call(...stop("s"));
  expect(ofType(await client.soundLog("s"), "turn.started").length).toBeLessThanOrEqual(1);
});

test("an ended session takes no messages and no interrupts, and can still be read and ended", async () => {
  const { client } = await startTestDaemon();
  await client.create("s");
  await client.turn("s", "end");
  const message = await client.send("s", "hello?");
  expect(message.status).toBe(409);
  expect(codeOf(message)).toBe("session_ended");
  expect(codeOf(await client.call("POST", `${session("s")}/messages/stream`, { message: "x" }))).toBe("session_ended");
  expect(codeOf(await client.call("POST", `${session("s")}/interrupt`))).toBe("session_ended");
  expect((await client.call(...stop("s"))).status).toBe(204);
  expect(await client.soundLog("s")).toMatchObject({ length: expect.any(Number) });
});

test("of an unknown session is 404", async () => {
  const { client } = await startTestDaemon();
  expect((await client.call(...stop("none"))).status).toBe(404);
});
