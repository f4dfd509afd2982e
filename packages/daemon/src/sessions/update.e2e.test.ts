/** Feared: a setting that was acknowledged and does not hold, is lost with the process, or costs the conversation. */
import type { AgentSettings, SessionConfig } from "@sandbox-agent-ts/agents";
import { expect, test } from "vitest";
import { codeOf, ofType, session } from "../__fixtures__/client.ts";
import { DaemonProcess } from "../__fixtures__/daemon-process.ts";
import { ScriptedAgent } from "../__fixtures__/scripted-agent.ts";
import { stubAgent } from "../__fixtures__/stub-agent.ts";
import { temporaryDirectory } from "../__fixtures__/temporary-directory.ts";
import { startTestDaemon } from "../__fixtures__/test-daemon.ts";

const policy = { rules: [{ action: "deny", kind: "delete" }] };
const requestTimeout = { afterMs: 60_000 };

test("settings that were changed are kept over kill -9, and cleared ones stay cleared", async () => {
  const dataDir = temporaryDirectory();
  const first = await DaemonProcess.start({ dataDir });
  await first.client.create("s", { model: "mock-2", policy, requestTimeout });
  expect(await first.client.info("s")).toMatchObject({ model: "mock-2", policy, requestTimeout });
  const answer = await first.client.call("PATCH", session("s"), {
    model: null,
    permissionMode: "acceptEdits",
    agentMode: "plan",
    policy: null,
    requestTimeout: { afterMs: 1000 },
  });
  expect(answer.status, answer.text).toBe(200);
  await first.kill();
  const { client } = await DaemonProcess.start({ dataDir });
  const info = await client.info("s");
  expect(info).toMatchObject({
    permissionMode: "acceptEdits",
    agentMode: "plan",
    requestTimeout: { afterMs: 1000 },
  });
  expect(info).not.toHaveProperty("model");
  expect(info).not.toHaveProperty("policy");
  const [updated] = ofType(await client.soundLog("s"), "session.updated");
  expect(updated?.data.changes).toEqual({
    model: null,
    permission_mode: "acceptEdits",
    agent_mode: "plan",
    policy: null,
    request_timeout: { afterMs: 1000 },
  });
});

/** An agent that keeps book of what it was told to work with. */
function settingsAgent(takes: (settings: AgentSettings) => boolean) {
  const opened: (SessionConfig & { nativeSessionId: string | undefined })[] = [];
  const updated: AgentSettings[] = [];
  const base = stubAgent("settings", {});
  const adapter = stubAgent("settings", {
    permissionModes: ["default", "acceptEdits"],
    open: async (options) => {
      opened.push({ ...options.session, nativeSessionId: options.nativeSessionId });
      options.setNativeSessionId("native-1");
      return {
        ...(await base.open(options)),
        update: async (settings) => {
          updated.push(settings);
          return takes(settings);
        },
      };
    },
  });
  return { adapter, opened, updated };
}

test("the next turn goes on with the conversation, opened anew with the new settings", async () => {
  const { adapter, opened } = settingsAgent(() => false);
  const { client } = await startTestDaemon({ extraAgents: [adapter] });
  await client.create("s", { agent: "settings", model: "a" });
  await client.turn("s", "one");
  await client.call("PATCH", session("s"), { model: "b", permissionMode: "acceptEdits" });
  await client.turn("s", "two");
  await client.turn("s", "three");
  expect(opened).toMatchObject([
    { model: "a", permissionMode: "default", nativeSessionId: undefined },
    { model: "b", permissionMode: "acceptEdits", nativeSessionId: "native-1" },
  ]);
});

test("an agent that takes new settings is not opened anew", async () => {
  const { adapter, opened, updated } = settingsAgent(() => true);
  const { client } = await startTestDaemon({ extraAgents: [adapter] });
  await client.create("s", { agent: "settings" });
  await client.call("PATCH", session("s"), { model: "b" });
  await client.turn("s", "one");
  await client.turn("s", "two");
  expect(opened).toHaveLength(1);
  expect(updated).toEqual([{ agentMode: "build", permissionMode: "default", model: "b" }]);
});

test("a title, a time limit and what the agent changed itself need no new agent", async () => {
  const agent = new ScriptedAgent();
  const { client } = await startTestDaemon({ extraAgents: [agent.adapter] });
  await client.create("s", { agent: "scripted" });
  const first = await client.startTurn("s", "one");
  await agent.prompted(1);
  agent.emit({ type: "session.updated", data: { changes: { permission_mode: "acceptEdits" } } });
  await client.call("PATCH", session("s"), { title: "Another", requestTimeout });
  agent.finish();
  await first.closed;
  expect(await client.info("s")).toMatchObject({ title: "Another", permissionMode: "acceptEdits", requestTimeout });
  const second = await client.startTurn("s", "two");
  await agent.prompted(2);
  agent.finish();
  await second.closed;
  expect(agent.closes).toBe(0);
  await client.soundLog("s");
});

test("what is changed while a turn runs holds from the next one on", async () => {
  const agent = new ScriptedAgent();
  const { client } = await startTestDaemon({ extraAgents: [agent.adapter] });
  await client.create("s", { agent: "scripted" });
  const first = await client.startTurn("s", "one");
  await agent.prompted(1);
  await client.message("s", "two");
  await client.call("PATCH", session("s"), { model: "b" });
  expect(await client.info("s")).toMatchObject({ model: "b", status: "running", queuedTurns: 1 });
  expect(agent.closes).toBe(0);
  agent.finish();
  await first.closed;
  await agent.prompted(2);
  expect(agent.closes).toBe(1);
  agent.finish();
});

test.each([
  [{}, "invalid_request"],
  [{ models: "x" }, "invalid_request"],
  [{ permissionMode: "anything" }, "invalid_request"],
  [{ permissionMode: null }, "invalid_request"],
  [{ agentMode: "cook" }, "mode_not_supported"],
  [{ model: "mock-3" }, "mode_not_supported"],
  [{ variant: "extreme" }, "mode_not_supported"],
  [{ model: "mock-2", variant: "high" }, "mode_not_supported"],
  [{ policy: { rules: [{ action: "allow", paths: [] }] } }, "invalid_request"],
  [{ requestTimeout: { afterMs: 1 } }, "invalid_request"],
])("%j is refused as %s and changes nothing", async (body, code) => {
  const { client } = await startTestDaemon();
  await client.create("s");
  const before = await client.info("s");
  const answer = await client.call("PATCH", session("s"), body);
  expect(codeOf(answer)).toBe(code);
  expect(await client.info("s")).toEqual(before);
});

test("fields that are unknown are ignored beside a setting that is known", async () => {
  const { client } = await startTestDaemon();
  await client.create("s");
  const { status } = await client.call("PATCH", session("s"), { title: "Lighthouse", colour: "blue" });
  expect(status).toBe(200);
  expect(await client.info("s")).toMatchObject({ title: "Lighthouse" });
});

test("approving a plan gives back the session's permission mode, also under a policy", async () => {
  const { client } = await startTestDaemon();
  await client.create("s", { agentMode: "plan", permissionMode: "bypass", policy });
  const turn = await client.startTurn("s", "plan");
  await turn.until(({ type }) => type === "question.requested");
  const [asked] = ofType(turn.events, "question.requested");
  const reply = `${session("s")}/questions/${asked?.data.question_id}/reply`;
  await client.call("POST", reply, { answers: [["Approve"]] });
  await turn.closed;
  expect(await client.info("s")).toMatchObject({ agentMode: "build", permissionMode: "bypass" });
  const [updated] = ofType(await client.soundLog("s"), "session.updated");
  expect(updated?.data.changes).toEqual({ agent_mode: "build" });
});

test("an ended session cannot be changed", async () => {
  const { client } = await startTestDaemon();
  await client.create("s");
  await client.call("POST", `${session("s")}/terminate`);
  expect(codeOf(await client.call("PATCH", session("s"), { permissionMode: "bypass" }))).toBe("session_ended");
  await client.soundLog("s");
});
