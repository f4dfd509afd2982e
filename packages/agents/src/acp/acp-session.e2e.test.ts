// What no installed agent shows: our client against an agent that is built with the official SDK.
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import { expect, test } from "vitest";
import { expectSound } from "../contract/agent-contract.ts";
import type { AgentHarness } from "../contract/agent-harness.ts";
import { eventually } from "../contract/eventually.ts";
import { markedProcesses } from "../contract/marked-processes.ts";
import { assistantText, completedItems, eventsOf, partsOf } from "../contract/stream-readers.ts";
import { openPeer } from "./__fixtures__/open-peer.ts";

async function say(harness: AgentHarness, message: string): Promise<string> {
  const { events, outcome } = await harness.prompt(message);
  expect(outcome.reason).toBe("completed");
  expectSound(harness);
  return assistantText(events);
}

test("a command runs in a terminal of ours; its output is the result, also when it was released", async () => {
  const harness = await openPeer();
  const { events } = await harness.prompt("terminal echo out; echo err >&2");
  expect(JSON.parse(assistantText(events))).toMatchObject({ exitCode: 0, truncated: false, again: -32602 });
  expect(partsOf(events, "tool_result")).toMatchObject([{ call_id: "t", output: "out\nerr\n" }]);
  expectSound(harness);
});

test("a command that fails is a result that failed, and too much output loses its beginning", async () => {
  const harness = await openPeer();
  const { events } = await harness.prompt("terminal seq 1 1000; exit 4");
  expect(JSON.parse(assistantText(events))).toMatchObject({ exitCode: 4, truncated: true });
  const [result] = completedItems(events).filter(({ kind }) => kind === "tool_result");
  expect(result?.status).toBe("failed");
  expect(partsOf(events, "tool_result")[0]?.output).toMatch(/^\d+\n.*\n1000\n$/s);
});

test("a command in a terminal is killed when the agent wants it", async () => {
  expect(await say(await openPeer(), "sleep sleep 300")).toBe("killed by SIGTERM");
});

test("files are written and read through us, by lines", async () => {
  const harness = await openPeer();
  expect(await say(harness, `files ${join(harness.directory, "new", "a.txt")}`)).toBe("written 2\n");
});

test("a session that plans writes nothing, and says that a file is not there", async () => {
  const harness = await openPeer({ permissionMode: "plan" });
  const path = join(harness.directory, "a.txt");
  expect(await say(harness, `files ${path}`)).toMatch(/only plans.* -32002$/);
  expect(existsSync(path)).toBe(false);
});

test("a form is asked as questions, and answered in its own terms", async () => {
  const harness = await openPeer();
  const turn = harness.prompt("ask");
  const { data } = await harness.next("question.requested");
  expect(data.options).toEqual(["Blue", "Red"]);
  expect(data.questions?.map(({ multi_select }) => multi_select)).toEqual([false, true, false, false]);
  await harness.answerQuestion(data.question_id, [["Red"], ["Header", "Footer"], ["3"], ["Yes"]]);
  const answer = JSON.parse(assistantText((await turn).events)) as unknown;
  const content = { colour: "#f00", places: ["Header", "Footer"], count: 3, sure: true };
  expect(answer).toEqual({ action: "accept", content });
  expectSound(harness);
});

test("a form that nobody answers is declined", async () => {
  const harness = await openPeer();
  const turn = harness.prompt("ask");
  const { data } = await harness.next("question.requested");
  await harness.answerQuestion(data.question_id, null);
  expect(assistantText((await turn).events)).toBe('{"action":"decline"}');
});

test.each([
  ["once", "allow_always,allow_once,reject_once", "o1"],
  ["reject", "allow_once,reject_always,reject_once", "o2"],
  ["reject", "allow_once", "cancelled"],
] as const)("the answer %s to the offers %s is %s", async (reply, kinds, expected) => {
  const harness = await openPeer();
  const turn = harness.prompt(`permission ${kinds}`);
  const { data } = await harness.next("permission.requested");
  expect(data).toMatchObject({
    action: "Run the command touch a",
    metadata: { kind: "execute", input: { command: "touch a" } },
  });
  await harness.answerPermission(data.permission_id, reply);
  expect(assistantText((await turn).events)).toBe(expected);
  expectSound(harness);
});

test("`always` is told as once and remembered here, also in the next life of the session", async () => {
  const harness = await openPeer();
  const turn = harness.prompt("permission allow_always,allow_once");
  const { data } = await harness.next("permission.requested");
  await harness.answerPermission(data.permission_id, "always");
  expect(assistantText((await turn).events)).toBe("o1");
  expect(await say(harness, "permission allow_always,allow_once")).toBe("o1");
  await harness.reopen();
  expect(await say(harness, "permission allow_always,allow_once")).toBe("o1");
});

test("`always` is told to an agent that remembers no more than it says", async () => {
  const harness = await openPeer({}, { quirks: { remembersNarrowly: true } });
  const turn = harness.prompt("permission allow_always,allow_once");
  const { data } = await harness.next("permission.requested");
  await harness.answerPermission(data.permission_id, "always");
  expect(assistantText((await turn).events)).toBe("o0");
});

test.each([
  ["call", "cancelled"],
  ["request", "cancelled"],
  ["turn", ""],
])("a request that the agent withdraws with its %s is resolved by the agent", async (how, said) => {
  const harness = await openPeer();
  const { events, outcome } = await harness.prompt(`withdraw ${how}`);
  expect(outcome.reason).toBe("completed");
  const [asked] = eventsOf(events, "permission.requested");
  const resolved = eventsOf(events, "permission.resolved").map(({ source, data }) => ({ source, ...data }));
  const about = { permission_id: asked?.data.permission_id, call_id: "w" };
  expect(resolved).toMatchObject([{ ...about, status: "denied", resolved_by: "agent", source: "agent" }]);
  expect(assistantText(events)).toBe(said);
  expectSound(harness);
});

const peerModes = { default: { sessionMode: "careful" }, acceptEdits: { sessionMode: "free" } };

test("a mode that the agent enters by itself is told as the session's", async () => {
  const harness = await openPeer({}, { permissionModes: peerModes });
  const { events } = await harness.prompt("mode free");
  expect(eventsOf(events, "session.updated").map(({ data }) => data)).toEqual([
    { changes: { permission_mode: "acceptEdits" } },
  ]);
  expect(partsOf(events, "status")).toMatchObject([{ label: "Mode changed", detail: "free" }]);
  const again = await harness.prompt("mode free");
  expect(eventsOf(again.events, "session.updated")).toEqual([]);
  const unknown = await harness.prompt("mode vendors-own");
  expect(eventsOf(unknown.events, "session.updated")).toEqual([]);
  expectSound(harness);
});

test("an agent that leaves plan mode by itself builds from then on, with the mode that was to follow", async () => {
  const permissionModes = { ...peerModes, plan: { sessionMode: "planning" }, bypass: { sessionMode: "careful" } };
  const harness = await openPeer({ agentMode: "plan", permissionMode: "bypass" }, { permissionModes });
  const { events } = await harness.prompt("mode careful2");
  expect(eventsOf(events, "session.updated")).toEqual([]);
  const left = await harness.prompt("mode careful");
  expect(eventsOf(left.events, "session.updated").map(({ data }) => data)).toEqual([
    { changes: { permission_mode: "bypass", agent_mode: "build" } },
  ]);
});

test("a plan is told once, and leaving plan mode is asked as a question with the plan in it", async () => {
  const harness = await openPeer({ permissionMode: "plan" });
  const turn = harness.prompt("plan Build a lighthouse.");
  const { data } = await harness.next("question.requested");
  expect(data.prompt).toContain("Build a lighthouse.");
  await harness.answerQuestion(data.question_id, [["Approve"]]);
  const { events } = await turn;
  expect(assistantText(events)).toBe("go");
  expect(partsOf(events, "status")).toEqual([{ type: "status", label: "Plan", detail: "[x] Measure\n[ ] Cut" }]);
  expect(await say(harness, `files ${join(harness.directory, "a.txt")}`)).toBe("written 2\n");
  await harness.reopen();
  expect(await say(harness, `files ${join(harness.directory, "b.txt")}`)).toBe("written 2\n");
});

test("words against a plan reach the agent in the same turn, after the refusal", async () => {
  const harness = await openPeer({ permissionMode: "plan" });
  const turn = harness.prompt("plan Build a lighthouse.");
  const { data } = await harness.next("question.requested");
  await harness.answerQuestion(data.question_id, [["echo Take limestone."]]);
  const { events, outcome } = await turn;
  expect(assistantText(events)).toMatch(/^stay.*echo Take limestone\./s);
  expect(outcome).toMatchObject({ reason: "completed", usage: { input_tokens: 6, output_tokens: 4 } });
  expectSound(harness);
});

test("words with a refusal reach the agent in the same turn, behind what it still says, all that there were", async () => {
  const harness = await openPeer();
  const turn = harness.prompt("permission allow_once,reject_once");
  const first = await harness.next("permission.requested");
  await harness.answerPermission(first.data.permission_id, "reject", "permission reject_once,allow_once");
  const second = await harness.next("permission.requested");
  await harness.answerPermission(second.data.permission_id, "reject", "echo Use mktemp instead.");
  const { events, outcome } = await turn;
  expect(assistantText(events)).toMatch(/^o1.*o0.*echo Use mktemp instead\./s);
  expect(outcome).toMatchObject({ reason: "completed", usage: { input_tokens: 9, output_tokens: 6 } });
  expectSound(harness);
});

test("the same words, said to whatever the agent asks, reach it once in a turn", async () => {
  const harness = await openPeer();
  const words = "permission allow_once,reject_once";
  const turn = harness.prompt(words);
  for (let asked = 0; asked < 2; asked += 1) {
    const { data } = await harness.next("permission.requested");
    await harness.answerPermission(data.permission_id, "reject", words);
  }
  expect(assistantText((await turn).events)).toBe("o1o1");
});

test("the reason of a policy or of a timeout is no message to the agent", async () => {
  const harness = await openPeer();
  for (const by of ["policy", "timeout"] as const) {
    const turn = harness.prompt("permission allow_once,reject_once");
    const { data } = await harness.next("permission.requested");
    await harness.answerPermission(data.permission_id, "reject", "echo Nobody is there.", by);
    expect(assistantText((await turn).events)).toBe("o1");
  }
});

test("what is not known is refused or passed over, and harms nothing", async () => {
  expect(await say(await openPeer(), "strange")).toBe("-32601");
});

test("values of other types lose nothing that was said beside them, even in the read that ends the turn", async () => {
  const harness = await openPeer();
  const { events, outcome } = await harness.prompt("odd");
  expect(outcome).toEqual({ reason: "completed" });
  expect(assistantText(events)).toBe("before plain after");
  expect(partsOf(events, "tool_call")).toMatchObject([{ call_id: "7", name: '{"a":1}' }]);
  expect(eventsOf(events, "agent.unparsed")).toMatchObject([{ data: { location: "Peer" } }]);
  expectSound(harness, { unparsed: true });
});

test("modes, costs, compaction, notices and images are told", async () => {
  const harness = await openPeer(
    { permissionMode: "bypass" },
    { permissionModes: { bypass: { sessionMode: "free" } } },
  );
  const { events, outcome } = await harness.prompt("news");
  expect(partsOf(events, "status").map(({ label, detail }) => [label, detail])).toEqual([
    ["Mode changed", "careful"],
    ["Conversation compacted", null],
    ["Warning", "Nearly full"],
  ]);
  expect(partsOf(events, "image").every(({ path }) => existsSync(path))).toBe(true);
  expect(outcome).toEqual({
    reason: "completed",
    usage: { input_tokens: 3, output_tokens: 2, cached_input_tokens: 1 },
    cost: { amount: 0.5, currency: "EUR" },
  });
  expectSound(harness);
});

test("an interrupted turn ends, with whatever is asked in it", async () => {
  const harness = await openPeer();
  const turn = harness.prompt("wait");
  await harness.interrupt();
  expect((await turn).outcome.reason).toBe("interrupted");
  const asking = harness.prompt("permission allow_once,reject_once");
  await harness.next("permission.requested");
  await harness.interrupt();
  expect((await asking).outcome.reason).toBe("interrupted");
  expect(await say(harness, "echo")).toContain("echo");
});

test("a refusal and an error of the model end the turn with what to do", async () => {
  const harness = await openPeer();
  expect((await harness.prompt("refuse")).outcome).toMatchObject({
    reason: "error",
    message: expect.stringMatching(/Change the message/),
  });
  const { outcome, events } = await harness.prompt("fail");
  expect(outcome).toMatchObject({ reason: "error", message: expect.stringMatching(/Wait a little/) });
  expect(eventsOf(events, "error")).toMatchObject([{ data: { code: "rate_limit_exceeded" } }]);
  expect(await say(harness, "echo")).toContain("echo");
});

test("an agent that dies in a turn rejects it with its last words, and goes on without telling old words again", async () => {
  const harness = await openPeer();
  const died = await harness.prompt("exit").catch((error: unknown) => error);
  expect(died).toBeInstanceOf(SandboxError);
  expect(died).toMatchObject({ code: "agent_process_exited", message: expect.stringMatching(/enough/) });
  const id = harness.nativeSessionId;
  expect(await say(harness, "echo")).not.toContain("old words");
  expect(harness.nativeSessionId).toBe(id);
});

test("an agent that cannot take up a conversation begins a new one, and the person is told", async () => {
  const harness = await openPeer({ env: { PEER_FORGETS: "1" }, systemPrompt: "Be brief." });
  expect(await say(harness, "echo")).toContain("Be brief.");
  const before = harness.nativeSessionId;
  await harness.reopen();
  const { events } = await harness.prompt("echo");
  expect(partsOf(harness.events, "status")).toMatchObject([{ label: "Conversation lost" }]);
  expect(assistantText(events)).toContain("Be brief.");
  expect(harness.nativeSessionId).not.toBe(before);
});

test("what comes after its turn is told all the same, in a turn", async () => {
  const harness = await openPeer();
  await say(harness, "late");
  await eventually(async () => {
    await say(harness, "echo");
    expect(assistantText(harness.events)).toContain("too late");
  });
});

test("nobody is asked between turns", async () => {
  const harness = await openPeer();
  await say(harness, "background");
  await eventually(async () => expect(await say(harness, "echo")).toContain("cancelled"));
});

test("an agent that dies leaves no command running in a terminal", async () => {
  const owner = randomUUID();
  const harness = await openPeer({}, {}, { owner });
  const turn = harness.prompt("leave sleep 300").catch((error: unknown) => error);
  const sleeping = async () => (await markedProcesses(owner)).some(({ commandLine }) => commandLine === "sleep 300");
  await eventually(async () => expect(await sleeping()).toBe(true));
  expect(await turn).toBeInstanceOf(SandboxError);
  await eventually(async () => expect(await markedProcesses(owner)).toEqual([]));
});

test("the system prompt stands before the first message only", async () => {
  const harness = await openPeer({ systemPrompt: "Be brief." });
  const [instructions, message] = JSON.parse(await say(harness, "echo")) as object[];
  expect(instructions).toMatchObject({ type: "resource", resource: { text: "Be brief." } });
  expect(message).toEqual({ type: "text", text: "echo" });
  expect(await say(harness, "echo")).not.toContain("Be brief.");
});

test("a model that is told nothing of planning by its agent is told by us", async () => {
  expect(await say(await openPeer({ agentMode: "plan" }), "echo")).toContain("only plans");
  expect(await say(await openPeer(), "echo")).not.toContain("only plans");
});

test("an idle process is ended, and the next message takes the conversation up again", async () => {
  const owner = randomUUID();
  const harness = await openPeer({}, {}, { owner, env: { SANDBOX_AGENT_PEER_IDLE_MS: "50" } });
  await say(harness, "echo");
  const id = harness.nativeSessionId;
  await eventually(async () => expect(await markedProcesses(owner)).toEqual([]));
  expect(await say(harness, "echo")).toContain("echo");
  expect(harness.nativeSessionId).toBe(id);
});

test("what a quirk prepares is in the environment of the process", async () => {
  const quirks = { prepare: async () => ({ PEER_SIGNED_IN: "password" }) };
  const harness = await openPeer({ env: { PEER_WANTS_PASSWORD: "1" } }, { quirks });
  expect(await say(harness, "echo")).toContain("echo");
});

test("an agent that wants a password says so, and gets it where we know the way", async () => {
  const env = { PEER_WANTS_PASSWORD: "1" };
  const harness = await openPeer({ env });
  const refused = await harness.prompt("echo").catch((error: unknown) => error);
  expect(refused).toMatchObject({ message: expect.stringMatching(/not signed in.*Say the password/s) });
  const signedIn = await openPeer({ env }, { quirks: { signIn: () => "password" } });
  expect(await say(signedIn, "echo")).toContain("echo");
});

test("a model that the agent does not take ends one turn, and then it goes on with its own", async () => {
  const harness = await openPeer({ model: "huge" });
  expect((await harness.prompt("echo")).outcome).toMatchObject({
    reason: "error",
    message: expect.stringMatching(/huge.*uses small/s),
  });
  expect(await say(harness, "echo")).toContain("echo");
});
