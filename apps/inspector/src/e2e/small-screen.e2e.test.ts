/** Feared: a phone on which something cannot be reached, read or answered. */
import { describeInBrowser } from "@sandbox-agent-ts/testing/browser";
import type { BrowserContextOptions, Locator } from "playwright-core";
import { expect, test } from "vitest";
import { seriousFindings } from "../__fixtures__/axe.ts";
import { RunningDaemon } from "../__fixtures__/running-daemon.ts";
import { screenshot } from "../__fixtures__/screenshot.ts";
import { Visitor } from "../__fixtures__/visitor.ts";

const size = { width: 390, height: 844 };
const phone: BrowserContextOptions = { viewport: size, hasTouch: true, colorScheme: "light" };

describeInBrowser("a small screen", (browser) => {
  test("shows sessions, conversation and requests, and takes messages and answers", { timeout: 90_000 }, async () => {
    const daemon = await RunningDaemon.start();
    const { client, directory } = daemon;
    await client.createSession("s", { agent: "mock", directory, title: "On the way" });
    for (const message of [`echo ${"long".repeat(100)}`, "markdown", "tool"])
      for await (const _ of client.streamTurn("s", { message }));
    const visitor = await Visitor.open(browser(), daemon.link, phone);
    const { page } = visitor;

    await visitor.button("Sessions").tap();
    await inReach(visitor.button("New session").first());
    await page.getByRole("link", { name: /On the way/ }).tap();
    await page.getByRole("heading", { name: "On the way", level: 1 }).waitFor();
    await page.getByRole("link", { name: /On the way/ }).waitFor({ state: "hidden" });

    await visitor.conversation.press("Home");
    await visitor.conversation.getByText("longlong").last().waitFor();
    await visitor.sees("Heading");
    expect(await sideways(visitor)).toEqual([]);
    await visitor.conversation.press("End");
    await visitor.sees("All four are done.");
    expect(await sideways(visitor)).toEqual([]);

    await inReach(visitor.message);
    await visitor.message.fill("permission");
    await inReach(visitor.button("Send message"));
    await visitor.button("Send message").tap();
    for (const answer of [/Allow once/, /Always allow/, /Reject/]) await inReach(visitor.button(answer));
    await inReach(page.getByText("rm -r build").last());
    await inReach(visitor.message);
    expect(await sideways(visitor)).toEqual([]);
    expect(await seriousFindings(page)).toEqual([]);
    await screenshot(page, "small");
    await visitor.button(/Allow once/).tap();
    await visitor.sees("you allowed it this once");

    await visitor.message.fill("question");
    await visitor.button("Send message").tap();
    await page.getByRole("radio", { name: "Blue" }).tap();
    await page.getByRole("checkbox", { name: "Header" }).tap();
    await inReach(visitor.button("Answer"));
    await visitor.button("Answer").tap();
    await visitor.sees(/Places: Header/);

    for (const tab of ["Events", "Files", "Conversation"]) {
      await visitor.link(tab).tap();
      await visitor.link(tab).and(page.locator("[aria-current]")).waitFor();
      expect(await sideways(visitor)).toEqual([]);
    }
    for (const name of ["Agents", "Request log"]) {
      await visitor.button("Sessions").tap();
      await visitor.link(name).tap();
      await page.getByRole("heading", { name, level: 1 }).waitFor();
      expect(await sideways(visitor)).toEqual([]);
    }
    await visitor.button("Sessions").tap();
    await visitor.button("New session").first().tap();
    await page.getByRole("radio", { name: /Mock/ }).waitFor();
    await inReach(visitor.button("Create session"));
    expect(await sideways(visitor)).toEqual([]);
    expect(visitor.complaints).toEqual([]);
  });
});

/** It is there, all of it on the screen, and nothing covers it. */
async function inReach(target: Locator): Promise<void> {
  await target.waitFor();
  await expect.poll(() => target.boundingBox()).toSatisfy(isOnScreen);
  await target.click({ trial: true });
}

function isOnScreen(box: Awaited<ReturnType<Locator["boundingBox"]>>): boolean {
  if (!box) return false;
  const { x, y, width, height } = box;
  return x >= 0 && y >= 0 && x + width <= size.width && y + height <= size.height;
}

/** What can be scrolled sideways and should not be: the page, and the conversation in it. */
function sideways({ page }: Visitor): Promise<string[]> {
  return page.evaluate(() => {
    const wide = (element: Element) => element.scrollWidth > element.clientWidth;
    const frames = [
      document.documentElement,
      document.body,
      ...document.querySelectorAll("main, .conversation-scroller"),
    ];
    return frames.filter(wide).map(({ tagName, className }) => `${tagName} ${className}`);
  });
}
