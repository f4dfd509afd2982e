import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import type { UniversalItem } from "@sandbox-agent-ts/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ScriptedWorld, when } from "../../contract/scripted-world.ts";
import { lastingItems, toolOutputs } from "../../contract/stream-readers.ts";
import { requireProgram } from "../../install/locate-program.ts";
import { expectSameBlocks } from "../../transcripts/__fixtures__/expect-same-blocks.ts";
import { calls, makeOpencodeWorld, runs } from "./__fixtures__/open-opencode.ts";
import { programProblem, whySkipped } from "./__fixtures__/program-problem.ts";
import { adapter } from "./index.ts";
import { program } from "./program.ts";
import { parseTranscript, readTranscript } from "./transcript.ts";
import { writeTranscript } from "./write-transcript.ts";

const run = promisify(execFile);
/** Each start of the program takes seconds, on a busy machine many. */
const TIMEOUT_MS = 120_000;

const work = when(
  "Do all you can.",
  { reasoning: "Where to begin?", text: "I begin.", ...runs(`echo "it's" >&2; exit 3`) },
  calls("write", { filePath: "a.txt", content: "one\n" }),
  calls("edit", { filePath: "a.txt", oldString: "one", newString: "two" }),
  calls("task", { description: "Count", prompt: "Count the lighthouses.", subagent_type: "general" }),
  { text: "I did." },
);
const count = when("Count the lighthouses.", runs("echo three"), { text: "Three." });
const greeting = when("Greet me.", { text: "Good morning.", repeat: "forever" });

describe.skipIf(programProblem)(`exports${whySkipped}`, () => {
  let world: ScriptedWorld;
  beforeAll(async () => {
    world = await makeOpencodeWorld([work, count, greeting]);
  });
  afterAll(async () => {
    await adapter.close?.();
    await world.dispose();
  });

  async function opencode(directory: string, ...args: string[]): Promise<string> {
    const { path } = await requireProgram(program, world.host);
    const env = { ...world.host.env, OPENCODE_DISABLE_MODELS_FETCH: "1", OPENCODE_DISABLE_AUTOUPDATE: "1" };
    return (await run(path, args, { cwd: directory, env })).stdout;
  }

  test(
    "an export, with those of its subagents, has the items that the stream told",
    async () => {
      const harness = await world.open({ permissionMode: "bypass" });
      const { events } = await harness.prompt("Do all you can.");
      await harness.close();
      const subagent = /<task id="(ses_\w+)"/.exec(toolOutputs(events).join())?.[1] ?? "";
      const sessions = [harness.nativeSessionId!, subagent];
      const [text = "", sub = ""] = await Promise.all(sessions.map((id) => opencode(harness.directory, "export", id)));
      const companions = [{ path: "sub.json", text: sub }];
      const items = parseTranscript(text, { itemPrefix: "open1-", companions });
      expect(items.map(plain)).toEqual(lastingItems(harness.events).map(plain));
      expectSameBlocks(harness.events, readTranscript(text, { companions }));
      const task = items.find(({ content: [part] }) => part?.type === "tool_call" && part.name === "task");
      expect(items.filter(({ parent_id }) => parent_id === task?.item_id)).toHaveLength(3);
      await harness.dispose();
    },
    TIMEOUT_MS,
  );

  test(
    "a conversation that happened elsewhere goes on, and the model is told all of it",
    async () => {
      const elsewhere = await world.open({ permissionMode: "bypass" });
      await elsewhere.prompt("Do all you can.");
      const directory = await world.makeDirectory({});
      const nativeSessionId = `ses_${randomUUID().replaceAll("-", "").slice(0, 26)}`;
      const about = { nativeSessionId, directory, time: "2026-01-02T03:04:05.678Z", nextUuid: randomUUID };
      const written = writeTranscript(elsewhere.events, about);
      await elsewhere.dispose();
      const file = join(await world.makeDirectory({}), basename(written.path));
      await writeFile(file, written.text);
      expect(await opencode(directory, "import", file)).toContain(nativeSessionId);

      const said: unknown[] = [];
      const session = await adapter.open({
        host: world.host,
        session: { sessionId: "s", agentMode: "build", permissionMode: "bypass", directory, env: {} },
        nativeSessionId,
        itemPrefix: "i",
        emit: (drafts) => said.push(...drafts.filter(({ type }) => type === "error")),
        setNativeSessionId: (id) => said.push(id),
        remember: () => {},
      });
      const outcome = await session.prompt({ turnId: "t", message: "Greet me.", attachments: [] });
      expect(said).toEqual([]);
      expect(outcome).toMatchObject({ reason: "completed", model: "scripted/model" });
      const told = JSON.stringify(world.model.requests.at(-1));
      for (const text of ["Do all you can.", "I begin.", "it's", "Wrote file", "Three.", "I did.", "Greet me."]) {
        expect(told).toContain(text);
      }
      await session.close();
    },
    TIMEOUT_MS,
  );
});

/** The user's message has the daemon's own ids in the stream, and items are counted as they begin. */
function plain({ item_id: _, native_item_id: __, parent_id, ...item }: UniversalItem): object {
  return { ...item, isSubagents: parent_id !== undefined };
}
