import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { expectSound } from "../../contract/agent-contract.ts";
import type { AgentHarness } from "../../contract/agent-harness.ts";
import { eventually } from "../../contract/eventually.ts";
import { type ScriptedWorld, when } from "../../contract/scripted-world.ts";
import { assistantText, completedItems, eventsOf, partsOf } from "../../contract/stream-readers.ts";
import { expectSameBlocks } from "../../transcripts/__fixtures__/expect-same-blocks.ts";
import { makeClaudeWorld } from "./__fixtures__/open-claude.ts";
import { programProblem, whySkipped } from "./__fixtures__/program-problem.ts";
import { readTranscript } from "./transcript.ts";

const INSTALL_TIMEOUT_MS = 600_000;

const agent = (prompt: string) => ({
  toolCalls: [{ name: "Agent", input: { description: "Count", prompt, subagent_type: "general-purpose" } }],
});
const shell = (command: string, more: object = {}) => ({
  toolCalls: [{ name: "Bash", input: { command, description: "Run it", ...more } }],
});
const writes = (file_path: string, content: string) => ({ name: "Write", input: { file_path, content } });
const bypass = { permissionMode: "bypass" } as const;

describe.skipIf(programProblem)(`sessions of Claude Code${whySkipped}`, () => {
  let world: ScriptedWorld;
  beforeAll(async () => {
    world = await makeClaudeWorld([
      when("Greet me.", { text: "Good morning.", repeat: "forever" }),
      when("Send somebody.", agent("Look for pearls."), { text: "Sent." }, { text: "They are back." }),
      when("Look for pearls.", shell("sleep 0.2; echo two pearls"), { text: "Two pearls." }),
      when("Send somebody slow.", agent("Look for gold."), { text: "Sent slowly." }),
      when("Look for gold.", { text: ["Well", " …"], hang: true }),
      when(
        "Wait outside.",
        shell("sleep 0.3", { run_in_background: true }),
        { text: "Waiting." },
        { text: "It is over." },
      ),
      when("Make a file.", shell("touch made"), { text: "Made." }),
      when(
        "Plan it.",
        { capture: { plan: /(\/\S+\/plans\/[\w-]+\.md)/ }, toolCalls: [writes("{{plan}}", "1. Make a file.")] },
        { toolCalls: [{ name: "ExitPlanMode", input: {} }] },
        shell("touch planned"),
        { text: "Done as planned." },
      ),
      when("Never stop.", { text: "Never", hang: 0 }),
    ]);
  }, INSTALL_TIMEOUT_MS);
  afterAll(() => world.dispose());

  async function open(...args: Parameters<ScriptedWorld["open"]>): Promise<AgentHarness> {
    const harness = await world.open(...args);
    onTestFinished(() => harness.dispose());
    return harness;
  }

  test("a turn lasts until its background subagent is done and its result was talked about", async () => {
    const harness = await open(bypass);
    const { outcome, events } = await harness.prompt("Send somebody.");
    expect(outcome.reason).toBe("completed");
    expect(assistantText(events)).toContain("They are back.");
    const [call] = completedItems(events).filter(({ kind }) => kind === "tool_call");
    const children = completedItems(events).filter(({ parent_id }) => parent_id === call?.item_id);
    expect(children.map(({ kind }) => kind)).toEqual(["tool_call", "tool_result", "message"]);
    expectSound(harness);
    await expectBlocksOfFiles(world, harness);
  });

  test("an interrupt stops also the subagent in the background", async () => {
    const harness = await open(bypass);
    const turn = harness.prompt("Send somebody slow.");
    await eventually(() => expect(assistantText(harness.events)).toContain("Sent slowly."));
    await harness.interrupt();
    expect((await turn).outcome.reason).toBe("interrupted");
    expect(assistantText((await harness.prompt("Greet me.")).events)).toBe("Good morning.");
    expectSound(harness);
  });

  test("what a command in the background brings after the turn is told in the next one, its end at once", async () => {
    const harness = await open(bypass);
    const first = await harness.prompt("Wait outside.");
    expect(assistantText(first.events)).toBe("Waiting.");
    const count = harness.events.length;
    await eventually(() => expect(partsOf(harness.events.slice(count), "status")).toHaveLength(1));
    await eventually(() => expect(JSON.stringify(world.model.requests.at(-1))).toContain("<task-notification>"));
    const second = await harness.prompt("Greet me.");
    expect(assistantText(second.events)).toBe("It is over.Good morning.");
    expectSound(harness);
  });

  test("a process that idles is ended, and the next turn goes on with the conversation and its rules", async () => {
    const harness = await open({}, { env: { SANDBOX_AGENT_CLAUDE_IDLE_MS: "300" } });
    const turn = harness.prompt("Make a file.");
    const { data } = await harness.next("permission.requested");
    await harness.answerPermission(data.permission_id, "always");
    await turn;
    const nativeId = harness.nativeSessionId;
    await eventually(async () => expect(await world.processes()).toEqual([]));
    await rm(join(harness.directory, "made"));
    const { outcome, events } = await harness.prompt("Make a file.");
    expect(outcome.reason).toBe("completed");
    expect(eventsOf(events, "permission.requested")).toEqual([]);
    expect(harness.nativeSessionId).toBe(nativeId);
    expectSound(harness);
    await expectBlocksOfFiles(world, harness);
  });

  test("an approved plan is carried out in the permission mode of the session", async () => {
    const harness = await open({ agentMode: "plan", permissionMode: "bypass" });
    const turn = harness.prompt("Plan it.");
    const { data } = await harness.next("question.requested");
    expect(data).toMatchObject({ prompt: expect.stringContaining("1. Make a file."), options: ["Approve", "Reject"] });
    await harness.answerQuestion(data.question_id, [["Approve"]]);
    const { outcome, events } = await turn;
    expect(outcome.reason).toBe("completed");
    expect(eventsOf(events, "permission.requested")).toEqual([]);
    expect(await readdir(harness.directory)).toEqual(["planned"]);
    expectSound(harness);
  });

  test("after a restart an approved plan is still approved: the model is not told to plan", async () => {
    const harness = await open({ agentMode: "plan", permissionMode: "bypass" });
    const turn = harness.prompt("Plan it.");
    const { data } = await harness.next("question.requested");
    expect(JSON.stringify(world.model.requests.at(-1))).toContain("Plan mode is active");
    await harness.answerQuestion(data.question_id, [["Approve"]]);
    await turn;
    await harness.reopen();
    await harness.prompt("Greet me.");
    const newest = world.model.requests.at(-1)?.messages.at(-1);
    expect(newest?.text).toContain("Greet me.");
    expect(newest?.text).not.toContain("Plan mode is active");
    expectSound(harness);
  });

  test("a conversation whose files are gone begins anew under the same id, and says so", async () => {
    const harness = await open();
    await harness.prompt("Greet me.");
    const nativeId = harness.nativeSessionId;
    await world.killPrograms();
    await rm(join(world.host.env.CLAUDE_CONFIG_DIR as string, "projects"), { recursive: true });
    const { outcome, events } = await harness.prompt("Greet me.");
    expect(outcome.reason).toBe("completed");
    expect(partsOf(events, "status")).toMatchObject([{ label: "Conversation lost" }]);
    expect(harness.nativeSessionId).toBe(nativeId);
    expectSound(harness);
  });

  test("an interrupt before the program has read the prompt ends the turn", async () => {
    const harness = await open();
    const turn = harness.prompt("Never stop.");
    await harness.interrupt();
    expect((await turn).outcome.reason).toBe("interrupted");
    expect((await harness.prompt("Greet me.")).outcome.reason).toBe("completed");
  });

  test("a program that cannot start says why", async () => {
    const harness = await open({}, { env: { SANDBOX_AGENT_CLAUDE_BIN: process.execPath } });
    await expect(harness.prompt("Greet me.")).rejects.toMatchObject({
      code: "agent_process_exited",
      message: expect.stringContaining("bad option"),
    });
  });
});

/** The files of the conversation, which has to be closed, have the blocks of its log. */
async function expectBlocksOfFiles({ host }: ScriptedWorld, harness: AgentHarness): Promise<void> {
  await harness.close();
  const projects = join(host.env.CLAUDE_CONFIG_DIR as string, "projects");
  const paths = (await readdir(projects, { recursive: true })).filter((path) =>
    path.includes(harness.nativeSessionId ?? "none"),
  );
  const files = await Promise.all(
    paths
      .filter((path) => /\.jsonl?$/.test(path))
      .map(async (path) => ({ path, text: await readFile(join(projects, path), "utf8") })),
  );
  const main = files.find(({ path }) => path.endsWith(`${harness.nativeSessionId}.jsonl`));
  expectSameBlocks(harness.events, readTranscript(main?.text ?? "", { companions: files }));
}
