import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ScriptedWorld, when } from "../../contract/scripted-world.ts";
import { makeClaudeWorld } from "./__fixtures__/open-claude.ts";
import { programProblem, whySkipped } from "./__fixtures__/program-problem.ts";
import { adapter } from "./index.ts";
import { writeTranscript } from "./write-transcript.ts";

const INSTALL_TIMEOUT_MS = 600_000;

describe.skipIf(programProblem)(`written transcripts${whySkipped}`, () => {
  let here: ScriptedWorld;
  let elsewhere: ScriptedWorld;
  beforeAll(async () => {
    const bash = { toolCalls: [{ name: "Bash", input: { command: "echo four pearls", description: "Count" } }] };
    here = await makeClaudeWorld([when("Count the pearls.", bash, { text: "There are four." })]);
    elsewhere = await makeClaudeWorld([when("How many were there?", { text: "Four, as I said." })]);
  }, INSTALL_TIMEOUT_MS);
  afterAll(() => Promise.all([here.dispose(), elsewhere.dispose()]));

  test("a conversation goes on in another home, and the model is told all of it", async () => {
    const first = await here.open({ permissionMode: "bypass" });
    await first.prompt("Count the pearls.");
    const nativeSessionId = randomUUID();
    const directory = await elsewhere.makeDirectory({});
    const about = { nativeSessionId, directory, time: new Date().toISOString(), nextUuid: randomUUID };
    const { path, text } = writeTranscript(first.events, about);
    await first.dispose();
    const file = join(elsewhere.host.env.CLAUDE_CONFIG_DIR as string, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);

    const { outcome, nativeId } = await goOn(directory, nativeSessionId);
    expect(outcome.reason).toBe("completed");
    expect(nativeId).toBe(nativeSessionId);
    const asked = JSON.stringify(elsewhere.model.requests.at(-1));
    for (const told of ["Count the pearls.", "echo four pearls", "There are four.", "How many were there?"]) {
      expect(asked).toContain(told);
    }
  });

  async function goOn(directory: string, nativeSessionId: string) {
    const opened: string[] = [];
    const session = await adapter.open({
      host: elsewhere.host,
      session: { sessionId: "s", agentMode: "build", permissionMode: "default", directory, env: {} },
      nativeSessionId,
      itemPrefix: "i",
      emit() {},
      setNativeSessionId: (id) => opened.push(id),
      remember() {},
    });
    const outcome = await session.prompt({ turnId: "t", message: "How many were there?", attachments: [] });
    await session.close();
    return { outcome, nativeId: opened.at(-1) ?? nativeSessionId };
  }
});
