import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { UniversalItem } from "@sandbox-agent-ts/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pixel } from "../../contract/contract-fixtures.ts";
import { rejectEverything } from "../../contract/person.ts";
import { when } from "../../contract/scripted-world.ts";
import { lastingItems } from "../../contract/stream-readers.ts";
import { expectSameBlocks } from "../../transcripts/__fixtures__/expect-same-blocks.ts";
import { type CodexWorld, keyConfig, makeCodexWorld } from "./__fixtures__/open-codex.ts";
import { programProblem } from "./__fixtures__/program-problem.ts";
import { adapter } from "./index.ts";
import { parseTranscript, readTranscript } from "./transcript.ts";
import { writeTranscript } from "./write-transcript.ts";

const patch = (...hunk: string[]) => ({
  toolCalls: [{ name: "apply_patch", input: ["*** Begin Patch", ...hunk, "*** End Patch"].join("\n") }],
});
const shell = (cmd: string) => ({ toolCalls: [{ name: "exec_command", input: { cmd } }] });
const todos = [
  { step: "Look", status: "completed" },
  { step: "Tell", status: "in_progress" },
];

const work = when(
  "Do all you can.",
  { reasoning: "Where to begin?", text: "I begin.", ...shell(`echo "it's" >&2; exit 3`) },
  patch("*** Add File: a.txt", "+one"),
  patch("*** Update File: a.txt", "@@", " one", "+more"),
  patch("*** Update File: a.txt", "@@", "-more"),
  patch("*** Update File: a.txt", "*** Move to: b.txt", "@@", "-one", "+two"),
  patch("*** Delete File: b.txt"),
  { toolCalls: [{ name: "update_plan", input: { explanation: "why", plan: todos } }] },
  { text: "I did." },
);
const asking = when("Ask me.", shell("touch asked"), patch("*** Add File: asked.txt", "+one"), { text: "So be it." });
const spawns = (namespace: string, more: object = {}) => ({
  toolCalls: [{ name: "spawn_agent", namespace, input: { message: "Count the lighthouses.", ...more } }],
});
const sending = [
  when("Send one.", spawns("multi_agent_v1"), { text: "Sent." }),
  when("Send another.", spawns("collaboration", { task_name: "counting" }), { text: "Sent as well." }),
  when("Count the lighthouses.", { text: "I look.", ...shell("echo three") }, { text: "Three." }),
  when("Count the lighthouses.", { text: "I look again." }),
];
const greeting = when("Greet me.", { text: "Good morning.", repeat: "forever" });

describe.skipIf(programProblem)(`rollouts${programProblem ? ` (skipped: ${programProblem})` : ""}`, () => {
  let world: CodexWorld;
  beforeAll(async () => {
    const options = {
      conversations: [work, asking, greeting, ...sending],
      config: keyConfig,
      env: () => ({ SCRIPTED_KEY: "key" }),
    };
    world = await makeCodexWorld(options);
  });
  afterAll(async () => {
    await adapter.close?.();
    await world.dispose();
  });

  function codexHome(): string {
    return join(world.host.env.HOME!, ".codex");
  }

  async function readRollout(threadId: string): Promise<string> {
    const files = await readdir(join(codexHome(), "sessions"), { recursive: true });
    return readFile(join(codexHome(), "sessions", files.find((file) => file.endsWith(`${threadId}.jsonl`))!), "utf8");
  }

  test("a rollout has the items that the stream told", async () => {
    const harness = await world.open({ permissionMode: "bypass" });
    await harness.prompt("Do all you can.");
    await harness.prompt("Greet me.");
    await harness.close();
    const rollout = await readRollout(harness.nativeSessionId!);
    const items = parseTranscript(rollout, { itemPrefix: "r" });
    expect(items.map(withoutIds)).toEqual(lastingItems(harness.events).map(withoutIds));
    expectSameBlocks(harness.events, readTranscript(rollout));
    expect(items.map(({ kind }) => kind)).toContain("tool_result");
    await harness.dispose();
  });

  /** Which kind of subagents a model knows depends on its name. */
  test.each([
    ["Send one.", "gpt-of-another-day"],
    ["Send another.", "gpt-6.1-sol"],
  ])("the rollouts of subagents have the blocks that the stream told (%s)", async (message, model) => {
    const harness = await world.open({ permissionMode: "bypass", model });
    await harness.prompt(message);
    await harness.close();
    const files = await readdir(join(codexHome(), "sessions"), { recursive: true });
    const rollouts = files.filter((file) => file.endsWith(".jsonl"));
    const companions = await Promise.all(
      rollouts.map(async (path) => ({ path, text: await readFile(join(codexHome(), "sessions", path), "utf8") })),
    );
    const told = readTranscript(await readRollout(harness.nativeSessionId!), { companions });
    expect(told.filter(({ data }) => data.item.parent_id).length).toBeGreaterThan(0);
    expectSameBlocks(harness.events, told, { sometimes: "Subagent completed" });
    await harness.dispose();
  });

  test("what a person attached is told as in the stream", async () => {
    const directory = await world.makeDirectory({ "a.txt": "a" });
    await writeFile(join(directory, "dot.png"), pixel);
    const harness = await world.open({ permissionMode: "bypass", directory });
    const attachments = [
      { path: join(directory, "a.txt"), mime: "text/plain" },
      { path: join(directory, "dot.png"), mime: "image/png" },
    ];
    await harness.prompt("Greet me.", attachments);
    await harness.close();
    const [said] = parseTranscript(await readRollout(harness.nativeSessionId!));
    expect(said?.content).toEqual([
      { type: "text", text: "Greet me." },
      { type: "file_ref", path: attachments[0]!.path, action: "read" },
      { type: "image", path: attachments[1]!.path, mime: "image/png" },
    ]);
    await harness.dispose();
  });

  test("a call that a person rejected is told as in the stream", async () => {
    const harness = await world.open();
    const turn = harness.prompt("Ask me.");
    await rejectEverything(harness, turn);
    await turn;
    await harness.close();
    const rollout = await readRollout(harness.nativeSessionId!);
    const items = parseTranscript(rollout, { itemPrefix: "r" });
    expect(items.map(withoutIds)).toEqual(lastingItems(harness.events).map(withoutIds));
    expectSameBlocks(harness.events, readTranscript(rollout));
    await harness.dispose();
  });

  test("a conversation that happened elsewhere goes on, and the model is told all of it", async () => {
    const elsewhere = await world.open({ permissionMode: "bypass" });
    await elsewhere.prompt("Do all you can.");
    const nativeSessionId = randomUUID();
    const directory = await world.makeDirectory({});
    const written = writeTranscript(elsewhere.events, { nativeSessionId, directory, time: "2026-01-02T03:04:05.678Z" });
    await elsewhere.dispose();
    const file = join(codexHome(), written.path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, written.text);

    const events: unknown[] = [];
    const session = await adapter.open({
      host: world.host,
      session: { sessionId: "s", agentMode: "build", permissionMode: "bypass", directory, env: {}, model: "gpt-5.5" },
      nativeSessionId,
      itemPrefix: "i",
      emit: (drafts) => events.push(...drafts.filter(({ type }) => type === "error")),
      setNativeSessionId: (id) => events.push(id),
      remember() {},
    });
    const outcome = await session.prompt({ turnId: "t", message: "Greet me.", attachments: [] });
    expect(outcome.reason).toBe("completed");
    expect(events).toEqual([]);
    const told = JSON.stringify(world.model.requests.at(-1)?.body);
    for (const text of ["Do all you can.", "I begin.", "it's", "add a.txt", "I did.", "Greet me."]) {
      expect(told).toContain(text);
    }
    await session.close();
    const said = parseTranscript(await readFile(file, "utf8")).filter(({ role }) => role === "user");
    expect(said.map(({ content: [part] }) => part)).toEqual([
      { type: "text", text: "Do all you can." },
      { type: "text", text: "Greet me." },
    ]);
  });
});

/** The user's message has the daemon's own ids in the stream. */
function withoutIds({ item_id: _, native_item_id: __, ...item }: UniversalItem): object {
  return item;
}
