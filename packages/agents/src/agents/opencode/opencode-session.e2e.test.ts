// What OpenCode has for all sessions of a server or a directory, and each of ours needs for itself.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import type { SessionConfig } from "../../agent.ts";
import { expectSound } from "../../contract/agent-contract.ts";
import type { AgentHarness } from "../../contract/agent-harness.ts";
import { mcpServerConfig } from "../../contract/contract-fixtures.ts";
import { requestsAbout } from "../../contract/expect-provoked.ts";
import { answerNextPermission, promptUnasked, rejectEverything } from "../../contract/person.ts";
import { type ScriptedWorld, when } from "../../contract/scripted-world.ts";
import { assistantText, completedItems, eventsOf, partsOf, toolOutputs } from "../../contract/stream-readers.ts";
import { calls, makeOpencodeWorld, runs } from "./__fixtures__/open-opencode.ts";
import { programProblem, whySkipped } from "./__fixtures__/program-problem.ts";
import { adapter } from "./index.ts";

/** A session with MCP servers has a server of its own, whose start takes long on a busy machine. */
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const conversations = [
  when("Touch it.", runs("touch touched"), { text: "Touched." }),
  when("Touch two.", { toolCalls: [...touching("one"), ...touching("two")] }, { text: "Or not." }),
  when("Remove it.", runs("rm -f nothing"), { text: "Removed." }),
  when("Shout it.", calls("loud_shout", { text: "quiet" }), { text: "Or not." }),
  when("Whisper it.", calls("harbour_whisper", { text: "LOUD" }), { text: "Whispered." }),
  when("Plan it.", calls("plan_exit", {}), { text: "Carried out." }),
  when("Greet me.", { text: "Good morning.", repeat: "forever" }),
  when("Send somebody.", calls("task", { description: "Write", prompt: "Write it down.", subagent_type: "general" }), {
    text: "They wrote.",
  }),
  when("Write it down.", calls("write", { filePath: "written.txt", content: "down\n" }), { text: "Wrote." }),
  when("Look closely.", calls("task", { description: "Look", prompt: "Look by touching.", subagent_type: "explore" }), {
    text: "They looked.",
  }),
  when("Look by touching.", runs("touch explored"), { text: "Looked." }),
];

/** As the user's own config has it. */
const { command, args } = mcpServerConfig as Extract<typeof mcpServerConfig, { type: "local" }>;
const userServer = { type: "local", command: [command, ...(args ?? []), "of-the-user"] };

function touching(name: string) {
  return runs(`touch ${name}`).toolCalls ?? [];
}

describe.skipIf(programProblem)(`a session${whySkipped}`, () => {
  let world: ScriptedWorld;
  beforeAll(async () => {
    world = await makeOpencodeWorld(conversations, {
      permission: { bash: { "rm *": "deny" } },
      mcp: { harbour: userServer },
    });
    // Its start is no part of what is tested here, and takes long.
    await adapter.modes(world.host);
  });
  afterAll(async () => {
    await adapter.close?.();
    await world.dispose();
  });

  async function open(session: Partial<SessionConfig> = {}): Promise<AgentHarness> {
    const harness = await world.open(session);
    onTestFinished(() => harness.dispose());
    return harness;
  }
  const by = (message: string) => ({ message });
  const toolsOffered = (message: string) => requestsAbout(world.model, message).at(-1)?.tools ?? [];

  test("a tool of an MCP server of the user's own config is asked about as one", async () => {
    const harness = await open();
    const turn = harness.prompt("Whisper it.");
    const { data } = await harness.next("permission.requested");
    expect(data).toMatchObject({ kind: "mcp", mcp_server: "harbour", tool: "harbour_whisper" });
    await harness.answerPermission(data.permission_id, "once");
    expect(toolOutputs((await turn).events).join()).toContain("loud");
    expectSound(harness);
  });

  test("what a person allows for always is not allowed to another session in the same directory", async () => {
    const one = await open();
    const two = await open({ directory: one.directory });
    const first = one.prompt("Touch it.");
    await answerNextPermission(one, "always");
    await first;
    await promptUnasked(one, by("Touch it."));
    const other = two.prompt("Touch it.");
    await answerNextPermission(two, "reject");
    expect((await other).outcome.reason).toBe("completed");
    expectSound(one);
    expectSound(two);
  });

  test("one of two commands rejected rejects both, and the turn goes on", async () => {
    const harness = await open();
    const turn = harness.prompt("Touch two.");
    const { data } = await harness.next("permission.requested");
    await harness.next("permission.requested");
    await harness.answerPermission(data.permission_id, "reject");
    const { outcome, events } = await turn;
    expect(outcome.reason).toBe("completed");
    expect(assistantText(events)).toBe("Or not.");
    expect(eventsOf(events, "permission.resolved").map(({ data }) => data.status)).toEqual(["denied", "denied"]);
    expectSound(harness);
  });

  test("a request names its call and what it does, and the model hears why it was rejected", async () => {
    const harness = await open();
    const turn = harness.prompt("Touch it.");
    const { data } = await harness.next("permission.requested");
    const { directory } = harness;
    const about = { kind: "execute", tool: "bash", command: "touch touched", cwd: directory };
    expect(data).toMatchObject({ ...about, action: "Run the command touch touched" });
    await harness.answerPermission(data.permission_id, "reject", "Use mktemp instead.");
    const { events } = await turn;
    const call = completedItems(events).find(({ item_id }) => item_id === data.item_id);
    expect(call?.content).toMatchObject([{ type: "tool_call", name: "bash", call_id: data.call_id }]);
    const heard = requestsAbout(world.model, "Touch it.")
      .at(-1)
      ?.messages.flatMap(({ toolResults }) => toolResults);
    expect(heard?.at(-1)?.text).toContain("Use mktemp instead.");
    expect(existsSync(join(directory, "touched"))).toBe(false);
    expectSound(harness);
  });

  test("the tool of an MCP server is asked about as one", async () => {
    const harness = await open({ mcp: { loud: mcpServerConfig } });
    const turn = harness.prompt("Shout it.");
    const { data } = await harness.next("permission.requested");
    const action = "Use the tool shout of the MCP server loud";
    expect(data).toMatchObject({ kind: "mcp", mcp_server: "loud", tool: "loud_shout", action });
    await harness.answerPermission(data.permission_id, "reject");
    await turn;
    expectSound(harness);
  });

  test("an approved plan changes the modes, and that is told", async () => {
    const harness = await open({ permissionMode: "plan" });
    const turn = harness.prompt("Plan it.");
    const { data } = await harness.next("question.requested");
    expect(data).toMatchObject({ kind: "plan", options: ["Approve", "Reject"], item_id: expect.any(String) });
    await harness.answerQuestion(data.question_id, [["Approve"]]);
    const { outcome, events } = await turn;
    expect(outcome.reason).toBe("completed");
    const changes = eventsOf(events, "session.updated").map((event) => event.data.changes);
    expect(changes).toEqual([{ permission_mode: "default" }]);
    expectSound(harness);
  });

  test("what the user's config denies stays denied, whatever the mode", async () => {
    const harness = await open({ permissionMode: "bypass" });
    const { events } = await promptUnasked(harness, by("Remove it."));
    expect(completedItems(events).filter(({ status }) => status === "failed")).toHaveLength(2);
    expect(toolOutputs(events).join()).toContain("prevents you from using this specific tool call");
  });

  test("a subagent asks as the session itself would", async () => {
    const harness = await open();
    const turn = harness.prompt("Send somebody.");
    const { data } = await harness.next("permission.requested");
    expect(data.action).toMatch(/^Write the file .*written\.txt$/);
    expect(data).toMatchObject({ kind: "edit", tool: "write", paths: [join(harness.directory, "written.txt")] });
    expect(data.diff).toMatch(/^--- .*\n\+\+\+ .*\n@@ .*\n\+down\n$/);
    await harness.answerPermission(data.permission_id, "once");
    const { events } = await turn;
    expect(existsSync(join(harness.directory, "written.txt"))).toBe(true);
    const [task] = completedItems(events).filter(({ parent_id, kind }) => kind === "tool_call" && !parent_id);
    expect(data.metadata).toMatchObject({ parent_id: task?.item_id, diff: expect.stringContaining("+down") });
    expect(partsOf(events, "file_ref")).toMatchObject([{ action: "write", diff: expect.stringContaining("+down") }]);
    expectSound(harness);
  });

  test.each([
    ["Send somebody.", "written.txt"],
    ["Look closely.", "explored"],
  ])("in mode plan no subagent changes anything: %s", async (message, file) => {
    const harness = await open({ permissionMode: "plan" });
    const turn = harness.prompt(message);
    await rejectEverything(harness, turn);
    expect((await turn).outcome.reason).toBe("completed");
    expect(existsSync(join(harness.directory, file))).toBe(false);
    expectSound(harness);
  });

  test("MCP servers of sessions in the same directory are kept apart", async () => {
    const one = await open({ mcp: { loud: mcpServerConfig }, permissionMode: "bypass" });
    const two = await open({ directory: one.directory, permissionMode: "bypass" });
    const other = { ...mcpServerConfig, env: { OTHER: "1" } } as typeof mcpServerConfig;
    const three = await open({ directory: one.directory, mcp: { loud: other } });
    const offered = async (harness: AgentHarness) => {
      await harness.prompt("Greet me.");
      return toolsOffered("Greet me.").filter((name) => name.startsWith("loud"));
    };
    expect(await offered(one)).toEqual(["loud_shout", "loud_whisper"]);
    expect(await offered(three)).toEqual(["loud_shout", "loud_whisper"]);
    expect(await offered(two)).toEqual([]);
    const servers = async () =>
      (await world.processes()).filter(({ commandLine }) => /mcp-server\.mjs$/.test(commandLine.trim()));
    expect(await servers()).toHaveLength(2);
    await one.close();
    await three.close();
    expect(await servers()).toEqual([]);
    expect(await offered(two)).toEqual([]);
  });

  test("a turn that runs is not offered the MCP servers that another session brings meanwhile", async () => {
    const one = await open();
    const turn = one.prompt("Touch it.");
    const { data } = await one.next("permission.requested");
    const two = await open({ directory: one.directory, mcp: { loud: mcpServerConfig } });
    await two.prompt("Greet me.");
    await one.answerPermission(data.permission_id, "once");
    await turn;
    expect(toolsOffered("Touch it.").filter((name) => name.startsWith("loud"))).toEqual([]);
  });

  test("an MCP server that cannot be started is told, and the turn goes on without it", async () => {
    const harness = await open({ mcp: { broken: { type: "local", command: "/no/such/program" } } });
    const { outcome, events } = await harness.prompt("Greet me.");
    expect(outcome.reason).toBe("completed");
    expect(partsOf(events, "status")).toMatchObject([{ label: "MCP server broken failed" }]);
    expectSound(harness);
  });

  test("a model that OpenCode does not know ends the turn with an error, once", async () => {
    const harness = await open({ model: "scripted/never-heard-of" });
    for (let time = 0; time < 2; time += 1) {
      const { outcome, events } = await harness.prompt("Greet me.");
      expect(outcome).toMatchObject({ reason: "error", message: expect.stringContaining("does not exist") });
      expect(eventsOf(events, "error")).toHaveLength(1);
    }
    expectSound(harness);
  });

  test("an agent that is not there is said when the session is opened", async () => {
    await expect(open({ agentMode: "nobody" })).rejects.toMatchObject({ code: "mode_not_supported" });
  });

  test("a conversation that is gone is begun anew, and that is said", async () => {
    const drafts: unknown[] = [];
    const session = await adapter.open({
      host: world.host,
      session: {
        sessionId: "s",
        agentMode: "build",
        permissionMode: "default",
        directory: await world.makeDirectory({}),
        env: {},
      },
      nativeSessionId: "ses_0000000000000000000000000",
      itemPrefix: "i",
      emit: (emitted) => drafts.push(...emitted),
      setNativeSessionId: (id) => drafts.push(id),
      remember: () => {},
    });
    onTestFinished(() => session.close());
    const outcome = await session.prompt({ turnId: "t", message: "Greet me.", attachments: [] });
    expect(outcome.reason).toBe("completed");
    expect(drafts[0]).toMatch(/^ses_/);
    const status = { kind: "status", content: [{ label: "Conversation lost" }] };
    expect(drafts[2]).toMatchObject({ type: "item.completed", data: { item: status } });
  });
});
