import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { EventDraft, UniversalItem } from "@sandbox-agent-ts/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { when } from "../../contract/scripted-world.ts";
import { completedItems } from "../../contract/stream-readers.ts";
import { type GeminiWorld, MODEL, makeGeminiWorld } from "./__fixtures__/open-gemini.ts";
import { programProblem } from "./__fixtures__/program-problem.ts";
import { chatFiles } from "./chat/chat-files.ts";
import { geminiDirectory } from "./home/gemini-directory.ts";
import { adapter } from "./index.ts";
import { parseTranscript } from "./transcript.ts";
import { writeTranscript } from "./write-transcript.ts";

const INSTALL_TIMEOUT_MS = 600_000;
/** Several starts of a real program, on a busy machine. */
const TEST_TIMEOUT_MS = 90_000;

const call = (name: string, input: Record<string, unknown>) => ({ toolCalls: [{ name, input }] });
const shell = (command: string) => call("run_shell_command", { command, description: "Run it." });
const work = when(
  "Do all you can.",
  { reasoning: "**Beginning** Where to?", text: "I begin.", ...shell("echo one pearl") },
  { text: "And on.", ...shell("echo broken >&2; exit 3") },
  call("write_file", { file_path: "a.txt", content: "one\n" }),
  { text: "I did." },
);
const more = when("Do more.", shell("echo two pearls"), { text: "I did more." });
const greeting = when("Greet me.", { text: "Good morning.", repeat: "forever" });

const title = `Gemini's files${programProblem ? ` (skipped: ${programProblem})` : ""}`;

describe.skipIf(programProblem)(title, { timeout: TEST_TIMEOUT_MS }, () => {
  let here: GeminiWorld;
  let elsewhere: GeminiWorld;
  beforeAll(async () => {
    here = await makeGeminiWorld(work, more, greeting);
    elsewhere = await makeGeminiWorld(greeting);
  }, INSTALL_TIMEOUT_MS);
  afterAll(() => Promise.all([here.dispose(), elsewhere.dispose()]));

  test("taken up again in the minute it began, a conversation is whole, on disk and for the model", async () => {
    const harness = await here.open({ permissionMode: "bypass" });
    await harness.prompt("Do all you can.");
    await harness.prompt("Do more.");
    await harness.reopen();
    await harness.prompt("Greet me.");
    const { contents } = here.model.requests.at(-1)!.body as unknown as { contents: Content[] };
    expect(contents.map(shape)).toEqual([
      "user says",
      "model says, calls run_shell_command",
      "user answers run_shell_command",
      "model says, calls run_shell_command",
      "user answers run_shell_command",
      "model calls write_file",
      "user answers write_file",
      "model says",
      "user says",
      "model calls run_shell_command",
      "user answers run_shell_command",
      "model says",
      "user says",
    ]);
    const items = parseTranscript(await chatOf(here, harness.nativeSessionId!), { itemPrefix: "r" });
    expect(items.map(comparable)).toEqual(completedItems(harness.events).map(comparable));
    await harness.dispose();
  });

  test("a conversation goes on in another home, and the model is told all of it", async () => {
    const first = await here.open({ permissionMode: "bypass" });
    await first.prompt("Do all you can.");
    const nativeSessionId = randomUUID();
    const directory = await elsewhere.makeDirectory({});
    const about = { nativeSessionId, directory, time: new Date().toISOString(), nextUuid: randomUUID };
    const { path, text } = writeTranscript(first.events, about);
    await first.dispose();
    const file = join(geminiDirectory(elsewhere.host.env), path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);

    const drafts: EventDraft[] = [];
    const session = await adapter.open({
      host: elsewhere.host,
      session: { sessionId: "s", agentMode: "build", permissionMode: "default", directory, env: {}, model: MODEL },
      nativeSessionId,
      itemPrefix: "i",
      emit: (more) => drafts.push(...more),
      setNativeSessionId: (id) => expect(id).toBe(nativeSessionId),
      remember() {},
    });
    const outcome = await session.prompt({ turnId: "t", message: "Greet me.", attachments: [] });
    await session.close();
    expect(outcome.reason).toBe("completed");
    const told = drafts.flatMap((draft) => (draft.type === "item.completed" ? draft.data.item.content : []));
    expect(told, "and nothing of the history").toEqual([{ type: "text", text: "Good morning." }]);
    const asked = JSON.stringify(elsewhere.model.requests.at(-1)?.body);
    for (const said of [
      "Do all you can.",
      "I begin.",
      "echo one pearl",
      "one pearl",
      "broken",
      "I did.",
      "Greet me.",
    ]) {
      expect(asked).toContain(said);
    }
  });

  test("the user's own settings are used and left as they are", async () => {
    const settings = join(geminiDirectory(here.host.env), "settings.json");
    const before = await readFile(settings, "utf8");
    const harness = await here.open();
    await harness.prompt("Greet me.");
    const [home] = (await readdir(here.host.dataDir)).filter((name) => name.startsWith("home-"));
    const used = JSON.parse(await readFile(join(here.host.dataDir, home!, ".gemini", "settings.json"), "utf8"));
    expect(used).toMatchObject({ ...JSON.parse(before), security: { auth: { selectedType: "gemini-api-key" } } });
    expect(await readFile(settings, "utf8")).toBe(before);
    await harness.dispose();
  });
});

interface Content {
  readonly role: string;
  readonly parts: { text?: string; thought?: boolean; functionCall?: Named; functionResponse?: Named }[];
}

interface Named {
  readonly name: string;
}

function shape({ role, parts }: Content): string {
  const what = parts.flatMap(({ text, thought, functionCall, functionResponse }) => {
    if (functionCall) return [`calls ${functionCall.name}`];
    if (functionResponse) return [`answers ${functionResponse.name}`];
    return text && !thought ? ["says"] : [];
  });
  return `${role} ${[...new Set(what)].join(", ")}`;
}

async function chatOf(world: GeminiWorld, sessionId: string): Promise<string> {
  const texts = await Promise.all(
    (await chatFiles(geminiDirectory(world.host.env), sessionId)).map((file) => readFile(file, "utf8")),
  );
  return texts.sort((a, b) => a.length - b.length).at(-1)!;
}

/** The user's message has the daemon's own ids in the stream, and the program trims what it keeps. */
function comparable({ item_id: _, native_item_id: __, ...item }: UniversalItem): object {
  return item;
}
