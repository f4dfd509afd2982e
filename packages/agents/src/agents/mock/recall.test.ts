import { expect, test } from "vitest";
import { expectSound } from "../../contract/agent-contract.ts";
import type { AgentHarness } from "../../contract/agent-harness.ts";
import { assistantText } from "../../contract/stream-readers.ts";
import { openMock } from "./__fixtures__/open-mock.ts";

test("it remembers what was said before, also when it was opened again", async () => {
  const harness = await openMock();
  expect(await recall(harness)).toBe("You said nothing before.");
  await harness.prompt("my name is Ada");
  expect(await recall(harness)).toBe("Before this you said:\n\n- what did I say before?\n- my name is Ada\n");
  await harness.reopen();
  expect(await recall(harness)).toContain("- my name is Ada\n");
  expectSound(harness);
});

test("it remembers what was said in a turn that was lost", async () => {
  const harness = await openMock();
  const turn = harness.prompt("tell me a story").catch((error: unknown) => error);
  await harness.next("item.delta");
  await harness.reopen();
  await turn;
  expect(await recall(harness)).toContain("- tell me a story\n");
});

test("a session knows nothing of what was said in another", async () => {
  const [one, two] = [await openMock(), await openMock()];
  await one.prompt("my name is Ada");
  expect(await recall(two)).toBe("You said nothing before.");
});

async function recall(harness: AgentHarness): Promise<string> {
  return assistantText((await harness.prompt("what did I say before?")).events);
}
