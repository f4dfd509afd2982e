/** Feared: a long session that freezes the page, loses the reader's place, or puts all of itself on the page. */
import { describeInBrowser } from "@sandbox-agent-ts/testing/browser";
import { expect, test } from "vitest";
import type { PlayedItem } from "../__fixtures__/played-agent.ts";
import { playedDaemon } from "../__fixtures__/played-daemon.ts";
import { Visitor } from "../__fixtures__/visitor.ts";

const ITEMS = 20_000;
const BATCH = 500;
/** Seconds, unless other browsers and agents have the processors. */
const LOADING_MS = 90_000;

const item = (at: number): PlayedItem => ({
  kind: "message",
  role: "assistant",
  content: [{ type: "text", text: `Item ${at}\n\n${"Some **words** to fill a line or two. ".repeat(at % 7)}` }],
});

describeInBrowser("a session of 20,000 items", (browser) => {
  test("opens at its end, scrolls, and keeps the reader's place while it grows", {
    timeout: 4 * LOADING_MS,
  }, async () => {
    const batches = [...Array(ITEMS / BATCH).keys()];
    const { client, sessionUrl } = await playedDaemon((say) => {
      for (const batch of batches.splice(0)) say(...Array.from({ length: BATCH }, (_, at) => item(batch * BATCH + at)));
    });
    const visitor = await Visitor.open(browser(), sessionUrl);
    const scroller = visitor.conversation;
    await visitor.page.getByText(`Item ${ITEMS - 1}`, { exact: true }).waitFor({ timeout: LOADING_MS });
    expect(await scroller.locator(".row").count()).toBeLessThan(100);

    await scroller.evaluate((element) => element.scrollTo(0, 0));
    await visitor.page.getByText("Item 0", { exact: true }).waitFor();
    await scroller.evaluate((element) => element.scrollTo(0, element.scrollHeight / 2));
    await scroller.locator(".row").first().waitFor();
    const steps = await scroller.evaluate(scrollSmoothly);
    expect(steps.blank).toBe(0);

    const before = await topItem(visitor);
    const height = await heightOf(visitor);
    batches.push(ITEMS / BATCH);
    for await (const _ of client.streamTurn("played", { message: "more" }));
    await expect.poll(() => heightOf(visitor)).toBeGreaterThan(height + BATCH);
    await visitor.idle();
    expect(await topItem(visitor)).toBe(before);
    expect(await scroller.locator(".row").count()).toBeLessThan(100);
    await visitor.button("Newest").click();
    await visitor.page.getByText(`Item ${ITEMS + BATCH - 1}`, { exact: true }).waitFor();
    expect(visitor.complaints).toEqual([]);
  });
});

/** Scroll frame by frame; how often was there nothing to see in the middle? */
async function scrollSmoothly(element: HTMLElement | SVGElement): Promise<{ blank: number }> {
  const frame = () => new Promise(requestAnimationFrame);
  const { top, height } = element.getBoundingClientRect();
  const middle = top + height / 2;
  let blank = 0;
  for (let step = 0; step < 60; step += 1) {
    element.scrollBy(0, 120);
    await frame();
    await frame();
    const boxes = [...element.querySelectorAll(".row")].map((row) => row.getBoundingClientRect());
    if (!boxes.some((box) => box.top <= middle && box.bottom >= middle)) blank += 1;
  }
  return { blank };
}

function heightOf({ conversation }: Visitor): Promise<number> {
  return conversation.evaluate((element) => element.scrollHeight);
}

/** What stands at the top of the page, and how far from it. */
function topItem({ conversation }: Visitor): Promise<string> {
  return conversation.evaluate((element) => {
    const { top } = element.getBoundingClientRect();
    const row = [...element.querySelectorAll(".row")].find((it) => it.getBoundingClientRect().bottom > top);
    return `${row?.textContent?.slice(0, 20)} at ${Math.round((row?.getBoundingClientRect().top ?? 0) - top)}`;
  });
}
