import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ItemTold, UniversalItem } from "@sandbox-agent-ts/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AgentHarness } from "../../contract/agent-harness.ts";
import { mcpServerConfig } from "../../contract/contract-fixtures.ts";
import { rejectEverything } from "../../contract/person.ts";
import { when } from "../../contract/scripted-world.ts";
import { completedItems } from "../../contract/stream-readers.ts";
import { expectSameBlocks } from "../../transcripts/__fixtures__/expect-same-blocks.ts";
import { completedOf } from "../../transcripts/told-items.ts";
import { type GeminiWorld, makeGeminiWorld } from "./__fixtures__/open-gemini.ts";
import { programProblem } from "./__fixtures__/program-problem.ts";
import { chatFiles } from "./chat/chat-files.ts";
import { geminiDirectory } from "./home/gemini-directory.ts";
import { readTranscript } from "./transcript.ts";

const INSTALL_TIMEOUT_MS = 600_000;
const TEST_TIMEOUT_MS = 120_000;

const call = (name: string, input: Record<string, unknown>) => ({ toolCalls: [{ name, input }] });
const shell = (command: string) => call("run_shell_command", { command, description: "Run it." });
const invoke = (prompt: string) => ({ name: "invoke_agent", input: { agent_name: "generalist", prompt } });
const counted = (response: string) => call("complete_task", { result: { response } });

const title = `Gemini's stream and transcript${programProblem ? ` (skipped: ${programProblem})` : ""}`;

describe.skipIf(programProblem)(title, { timeout: TEST_TIMEOUT_MS }, () => {
  let world: GeminiWorld;
  beforeAll(async () => {
    world = await makeGeminiWorld(
      when(
        "Let two of them count.",
        { toolCalls: [invoke("Count the lighthouses."), invoke("Count the ships.")] },
        { text: "And I.", ...shell("echo one pier") },
        { text: "Counted." },
      ),
      when("Count the lighthouses.", { text: "I look.", ...shell("echo three lighthouses") }, counted("Three.")),
      when("Count the ships.", { text: "I look out.", ...shell("echo four ships") }, counted("Four.")),
      when("Shout wrongly.", call("mcp_contract_shout", { words: "ahoy" }), { text: "It failed." }),
      when("Ask me.", shell("touch refused"), call("write_file", { file_path: "refused.txt", content: "x\n" }), {
        text: "So be it.",
      }),
    );
  }, INSTALL_TIMEOUT_MS);
  afterAll(() => world.dispose());

  test("have the items of two subagents in the same order, under the same calls", async () => {
    const harness = await world.open({ permissionMode: "bypass" });
    await harness.prompt("Let two of them count.");
    const told = comparable(inOrder(harness));
    expect(told.filter(({ parent }) => parent !== undefined)).toHaveLength(10);
    const kept = await transcriptOf(world, harness);
    expect(comparable(completedOf(kept))).toEqual(told);
    expectSameBlocks(harness.events, kept);
    await harness.dispose();
  });

  test("have the input of a tool of an MCP server that failed", async () => {
    const harness = await world.open({ permissionMode: "bypass", mcp: { contract: mcpServerConfig } });
    await harness.prompt("Shout wrongly.");
    const told = comparable(inOrder(harness));
    expect(JSON.stringify(told)).toContain(JSON.stringify('{"words":"ahoy"}').slice(1, -1));
    const kept = await transcriptOf(world, harness);
    expect(comparable(completedOf(kept))).toEqual(told);
    expectSameBlocks(harness.events, kept);
    await harness.dispose();
  });

  /** Of what a call that was refused would have done the program keeps nothing. */
  test("have refused calls in the same order with the same results, the transcript without their input", async () => {
    const harness = await world.open();
    const turn = harness.prompt("Ask me.");
    await rejectEverything(harness, turn);
    await turn;
    const told = comparable(inOrder(harness));
    expect(JSON.stringify(told)).toContain("touch refused");
    expect(comparable(completedOf(await transcriptOf(world, harness)))).toEqual(told.map(withoutInput));
    await harness.dispose();
  });
});

/** As a reader sees them: by when they began. */
function inOrder({ events }: AgentHarness): UniversalItem[] {
  const completed = new Map(completedItems(events).map((item) => [item.item_id, item]));
  const begun = events.flatMap((event) => (event.type === "item.started" ? [event.data.item.item_id] : []));
  return begun.flatMap((id) => completed.get(id) ?? []);
}

async function transcriptOf({ host }: GeminiWorld, harness: AgentHarness): Promise<ItemTold[]> {
  const nativeSessionId = harness.nativeSessionId ?? "";
  const [file = ""] = await chatFiles(geminiDirectory(host.env), nativeSessionId);
  const folder = join(dirname(file), nativeSessionId);
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".jsonl"));
  const companions = await Promise.all(
    names.map(async (path) => ({ path, text: await readFile(join(folder, path), "utf8") })),
  );
  return readTranscript(await readFile(file, "utf8"), { companions });
}

type Comparable = Omit<UniversalItem, "item_id" | "parent_id"> & { parent: string | null | undefined };

/** Without ids of our own; the user's words are the daemon's to tell. */
function comparable(items: readonly UniversalItem[]): Comparable[] {
  const nativeIds = new Map(items.map((item) => [item.item_id, item.native_item_id]));
  return items
    .filter(({ role }) => role !== "user")
    .map(({ item_id: _, parent_id, ...item }) => ({ ...item, parent: parent_id && nativeIds.get(parent_id) }));
}

function withoutInput(item: Comparable): Comparable {
  return {
    ...item,
    content: item.content.map((part) => (part.type === "tool_call" ? { ...part, arguments: "{}" } : part)),
  };
}
