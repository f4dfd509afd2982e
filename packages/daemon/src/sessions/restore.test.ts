/** Feared: an agent that knows nothing of what was said before its sandbox was lost, or a log that tells it twice. */
import type { UniversalEvent } from "@sandbox-agent-ts/protocol";
import { describe, expect, test } from "vitest";
import { agentText, type Client, codeOf, ofType, session } from "../__fixtures__/client.ts";
import { DaemonProcess } from "../__fixtures__/daemon-process.ts";
import { stubAgent } from "../__fixtures__/stub-agent.ts";
import { temporaryDirectory } from "../__fixtures__/temporary-directory.ts";
import { startTestDaemon } from "../__fixtures__/test-daemon.ts";
import { conversationText } from "./conversation-text.ts";

/** What a session of the mock said elsewhere. */
async function conversation(): Promise<UniversalEvent[]> {
  const { client } = await startTestDaemon();
  await client.create("elsewhere");
  await client.turn("elsewhere", "my name is Ada");
  await client.turn("elsewhere", "tool");
  return client.events("elsewhere");
}

const restored = (client: Client, agent: string, restore: object) =>
  client.call("POST", session("s"), { agent, restore });

describe("a session that is restored from events", () => {
  test("is known to the agent, and not told again in the log", async () => {
    const events = await conversation();
    const { client } = await startTestDaemon();
    const answer = await restored(client, "mock", { events });
    expect(answer.json()).toMatchObject({ healthy: true, nativeSessionId: expect.stringMatching(/^mock-/) });
    const [started, ...rest] = await client.events("s");
    expect(started).toMatchObject({
      type: "session.started",
      native_session_id: answer.json<{ nativeSessionId: string }>().nativeSessionId,
      data: { metadata: { restored: { events: events.length, native: true } } },
    });
    expect(rest).toEqual([]);
    expect(agentText(await client.turn("s", "what did I say before?"))).toContain("- my name is Ada\n");
    await client.soundLog("s");
  });

  test("still is after the daemon was killed before its first message", { timeout: 120_000 }, async () => {
    const events = await conversation();
    const dataDir = temporaryDirectory();
    const first = await DaemonProcess.start({ dataDir });
    const { nativeSessionId } = (await restored(first.client, "mock", { events })).json<{ nativeSessionId: string }>();
    await first.kill();
    const { client } = await DaemonProcess.start({ dataDir });
    expect((await client.info("s")).nativeSessionId).toBe(nativeSessionId);
    expect(agentText(await client.turn("s", "what did I say before?"))).toContain("- my name is Ada\n");
  });

  test("is told before the first message to an agent that cannot take it, until a turn has taken it", async () => {
    const events = await conversation();
    const dataDir = temporaryDirectory();
    const first = await startTestDaemon({ dataDir });
    expect((await restored(first.client, "fake", { events })).status).toBe(200);
    const [started] = ofType(await first.client.events("s"), "session.started");
    expect(started?.data.metadata).toEqual({ restored: { events: events.length, native: false } });
    await first.close();

    const { client } = await startTestDaemon({ dataDir });
    const turn = await client.turn("s", "hello");
    const said = ofType(turn, "item.completed").find(({ data }) => data.item.role === "user");
    expect(said?.data.item.content).toEqual([{ type: "text", text: "hello" }]);
    expect(agentText(turn)).toContain("User: my name is Ada");
    expect(agentText(turn)).toMatch(/The next message is:\s+hello$/);
    expect(agentText(await client.turn("s", "hello again"))).toBe("hello again");
    await client.soundLog("s");
  });

  test("is told as text when it cannot be given natively after all", async () => {
    const heard: string[] = [];
    const broken = stubAgent(
      "broken",
      { restore: () => Promise.reject(new Error("no room")) },
      {
        prompt: async ({ message }) => {
          heard.push(message);
          return { reason: "completed" };
        },
      },
    );
    const { client } = await startTestDaemon({ extraAgents: [broken] });
    await restored(client, "broken", { events: await conversation() });
    await client.turn("s", "hello");
    expect(heard[0]).toContain("my name is Ada");
    expect((await client.events("s"))[0]).toMatchObject({ data: { metadata: { restored: { native: false } } } });
  });
});

describe("a session that is restored from the agent's files", () => {
  const files = { nativeSessionId: "native-1", transcript: [{ path: "talks/a.jsonl", text: "x" }] };

  test("goes on under its old id", async () => {
    const { client } = await startTestDaemon();
    expect((await restored(client, "mock", files)).json()).toMatchObject({ nativeSessionId: "native-1" });
    expect((await client.events("s"))[0]).toMatchObject({
      data: { metadata: { restored: { files: 1, native: true } } },
    });
  });

  test("is refused by an agent that takes none", async () => {
    const { client } = await startTestDaemon();
    const answer = await restored(client, "fake", files);
    expect(codeOf(answer)).toBe("invalid_request");
    expect(answer.text).toContain("Restore the conversation from its events");
    expect((await client.call("GET", session("s"))).status).toBe(404);
  });
});

test.each([
  { events: [{ type: "nonsense" }] },
  { events: "all" },
  {},
  { nativeSessionId: "--flag", transcript: [{ path: "a", text: "" }] },
  { nativeSessionId: "a", transcript: [] },
])("%j is refused", async (restore) => {
  const { client } = await startTestDaemon();
  expect(codeOf(await restored(client, "mock", restore))).toBe("invalid_request");
});

test("more than 64 MiB are refused", async () => {
  const { url } = await startTestDaemon();
  const response = await fetch(`${url}${session("s")}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: `{"agent":"mock","title":"${" ".repeat(64 * 1024 * 1024)}"}`,
  });
  expect(response.status).toBe(413);
  expect(await response.text()).toContain("larger than 67108864 bytes");
});

test("as text a conversation is bounded, and its end is kept", () => {
  const said = (text: string): UniversalEvent => ({
    event_id: "e",
    sequence: 1,
    time: "2026-01-02T03:04:05.678Z",
    session_id: "s",
    native_session_id: null,
    source: "daemon",
    synthetic: true,
    type: "item.completed",
    data: {
      item: { item_id: "i", kind: "message", role: "user", status: "completed", content: [{ type: "text", text }] },
    },
  });
  expect(conversationText([])).toBe("");
  const long = conversationText([said("the beginning"), said("😀".repeat(150_000)), said("the end")]);
  expect(long.length).toBeLessThan(201_000);
  expect(long).toContain("the end");
  expect(long).toContain("Its beginning is left out.");
  expect(long).not.toContain("the beginning");
  expect(Buffer.from(long).toString("utf8")).toBe(long);
});
