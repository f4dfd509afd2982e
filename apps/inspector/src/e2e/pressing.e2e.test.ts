/** Feared: a button that slips away from under the pointer while an answer grows, so that the click does nothing. */
import { describeInBrowser } from "@sandbox-agent-ts/testing/browser";
import { expect, test } from "vitest";
import type { PlayedItem } from "../__fixtures__/played-agent.ts";
import { playedDaemon } from "../__fixtures__/played-daemon.ts";
import { Visitor } from "../__fixtures__/visitor.ts";

const says = (text: string): PlayedItem => ({ kind: "message", role: "assistant", content: [{ type: "text", text }] });
const call = { type: "tool_call", name: "Bash", call_id: "c", arguments: '{"command":"npm test"}' } as const;
const result = { type: "tool_result", call_id: "c", output: "3 passed, 0 failed" } as const;
const start: readonly PlayedItem[] = [
  ...Array.from({ length: 30 }, (_, at) => says(`Item ${at}`)),
  { kind: "tool_call", role: "assistant", content: [call] },
  { kind: "tool_result", role: "tool", content: [result] },
];

describeInBrowser("a press while a conversation grows", (browser) => {
  test("stays on what it began on; the page follows the end again when it is over", { timeout: 120_000 }, async () => {
    const parts = [start, [says("Second")], [says("Third")]];
    const { client, sessionUrl } = await playedDaemon((say) => say(...parts.shift()!));
    const visitor = await Visitor.open(browser(), sessionUrl);
    const { page, conversation } = visitor;
    const button = visitor.button(/Bash.*npm test/);
    const restBelow = () => conversation.evaluate((it) => it.scrollHeight - it.scrollTop - it.clientHeight);
    const pressWhile = async (grown: string) => {
      await expect.poll(restBelow, { timeout: 30_000 }).toBeLessThan(1);
      await button.hover();
      await page.mouse.down();
      for await (const _ of client.streamTurn("played", { message: "more" }));
      await visitor.sees(grown);
      await visitor.idle();
    };

    await pressWhile("Second");
    expect(await restBelow()).toBeGreaterThan(32);
    await page.mouse.move(0, 0);
    await page.mouse.up();
    await expect.poll(restBelow, { timeout: 30_000 }).toBeLessThan(1);
    expect(await button.getAttribute("aria-expanded")).toBe("false");

    await pressWhile("Third");
    await page.mouse.up();
    await visitor.sees("3 passed, 0 failed");
    expect(visitor.complaints).toEqual([]);
  });
});
