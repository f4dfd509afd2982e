/** Feared: a conversation that has become long ends with an error instead of going on from its summary. */
import { afterAll, describe, expect, test } from "vitest";
import { expectSound } from "../../contract/agent-contract.ts";
import { when } from "../../contract/scripted-world.ts";
import { assistantText, partsOf } from "../../contract/stream-readers.ts";
import { keyConfig, makeCodexWorld } from "./__fixtures__/open-codex.ts";
import { programProblem } from "./__fixtures__/program-problem.ts";
import { adapter } from "./index.ts";

const conversations = [
  when("Tell a long story.", { text: "Once upon a time.", usage: { input: 50_000, output: 10 } }),
  when("And then?", { text: "They lived happily." }),
];
const limit = "model_auto_compact_token_limit = 20000\n";

describe.skipIf(programProblem)(`compaction${programProblem ? ` (skipped: ${programProblem})` : ""}`, () => {
  afterAll(() => adapter.close?.());

  test.each([
    ["by the model service, where it is OpenAI's", "OpenAI", "compaction_trigger"],
    ["by Codex itself, where it is another", "scripted", "Create a handoff summary"],
  ])("%s", async (_, name, asked) => {
    const world = await makeCodexWorld({
      conversations,
      config: (url) => limit + keyConfig(url).replace('name = "scripted"', `name = "${name}"`),
      env: () => ({ SCRIPTED_KEY: "key" }),
    });
    const harness = await world.open();
    await harness.prompt("Tell a long story.");
    const { outcome, events } = await harness.prompt("And then?");
    expect(outcome.reason).toBe("completed");
    expect(partsOf(events, "status").map(({ label }) => label)).toContain("Conversation compacted");
    expect(assistantText(events)).toBe("They lived happily.");
    const requests = world.model.requests.map(({ messages }) => JSON.stringify(messages));
    expect(requests.at(-2)).toContain(asked);
    expect(requests.at(-1)).toContain("Scripted summary of the conversation.");
    expect(requests.at(-1)).not.toContain("Once upon a time.");
    expect(world.model.problems).toEqual([]);
    expectSound(harness);
    await harness.dispose();
    await world.dispose();
  });
});
