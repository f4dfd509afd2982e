/** Feared: an application written after the architecture's names and signatures that cannot call what it finds there. */
import { expect, test } from "vitest";
import { startTestRuntime, turnsOf } from "./__fixtures__/test-runtime.ts";

const long = 180_000;

test(
  "an application creates a session, sends plain text, reads it, looks into its sandbox and lets go of it",
  async () => {
    const { client, runtime } = await startTestRuntime();
    const { sessions } = runtime;
    const session = await sessions.createSession({ type: "Mock SDK", agentProfileReference: "", name: "First" });
    const { sessionId } = session;
    expect(sessionId).toMatch(/^ses_/);
    expect(session.getListData()).toMatchObject({ type: "mock", name: "First", agentProfileReference: "" });
    expect(session.getRuntimeState()).toEqual({ isLoaded: true, sandbox: null });
    expect([sessions.getSession(sessionId), sessions.isSessionLoaded(sessionId)]).toEqual([session, true]);
    expect(await sessions.loadSession(sessionId)).toBe(session);
    expect(await sessions.getAllSessions()).toEqual([session.getListData()]);
    expect(session.owner).toBe("application");

    const changes: string[] = [];
    const stop = new AbortController();
    await session.sendMessage("tool");
    await turnsOf(client, sessionId, 1);
    const sandbox = session.activeSandbox!;
    expect([sandbox.sessionId, await sandbox.heartbeat()]).toEqual([sessionId, null]);
    for await (const text of sandbox.streamSessionTranscriptChanges(stop.signal)) {
      changes.push(text);
      if (text.includes('"turn.ended"')) stop.abort();
    }
    const { blocks, subagents: byState } = await session.getState();
    expect(await sandbox.parseSessionTranscripts()).toEqual({ blocks, subagents: byState });
    const { rawTranscript, subagents } = await sandbox.readSessionTranscripts();
    expect(rawTranscript.split("\n").length).toBeLessThan(changes.join("").split("\n").length);
    expect(subagents).toMatchObject([{ transcript: expect.stringContaining("It is polite enough.") as string }]);
    expect(rawTranscript).not.toContain("parent_id");

    const told: string[] = [];
    for await (const { type } of sandbox.executeQuery("echo past the queue")) told.push(type);
    expect([told.at(0), told.at(-1)]).toEqual(["turn.started", "turn.ended"]);

    await turnsOf(client, sessionId, 2);
    await sessions.unloadSession(sessionId);
    expect(sessions.getSession(sessionId)).toBeUndefined();
    expect(await sandbox.heartbeat()).toBe(1);
    const loaded = await sessions.loadSession(sessionId);
    expect(JSON.stringify((await loaded.getState()).blocks)).toContain("past the queue");
    expect(loaded.getRuntimeState().sandbox).toBeNull();
  },
  long,
);

test("the same principal with the same key gets the same session, and another one another", async () => {
  const { runtime } = await startTestRuntime();
  const make = (owner: string) => runtime.sessions.createSession({ agent: "mock", owner, idempotencyKey: "k" });
  const [first, again, other] = [await make("ann"), await make("ann"), await make("bob")];
  expect(again).toBe(first);
  expect(other.sessionId).not.toBe(first.sessionId);
  const sessionId = "x".repeat(513);
  await expect(runtime.sessions.createSession({ agent: "mock", sessionId })).rejects.toThrow("at most 512");
});
