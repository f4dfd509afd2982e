/** Feared: a reload, a dead daemon or a second reader that loses, repeats or reorders what was said. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeInBrowser } from "@sandbox-agent-ts/testing/browser";
import { expect, test } from "vitest";
import { seriousFindings } from "../__fixtures__/axe.ts";
import { RunningDaemon } from "../__fixtures__/running-daemon.ts";
import { runningServers } from "../__fixtures__/running-servers.ts";
import { Visitor } from "../__fixtures__/visitor.ts";

const MINUTE_MS = 60_000;

describeInBrowser("what interrupts", (browser) => {
  test.each(runningServers)(
    "a reload in the middle of a turn, and two browsers on one session of %s",
    { timeout: MINUTE_MS },
    async (_, start) => {
      const server = await start();
      await server.client.createSession("s", { agent: "mock" });
      const one = await Visitor.open(browser(), server.link);
      await one.page.getByRole("link", { name: /^Idle s/ }).click();
      const two = await Visitor.open(browser(), server.link);
      await two.page.goto(one.page.url());
      await one.message.fill("slow 60 40");
      await one.message.press("Enter");
      await two.sees("1 2 3");
      await one.message.fill("a draft");
      await one.page.reload();
      expect(await one.message.inputValue()).toBe("a draft");
      await one.idle();
      await two.idle();
      expect(await conversationText(one)).toBe(await conversationText(two));
      expect(await conversationText(one)).toContain(numbers(60));

      await two.send("permission");
      for (const visitor of [one, two]) await visitor.button(/Allow once/).waitFor();
      await one.send("echo what waited");
      const queue = one.page.getByRole("list", { name: "Queued messages" });
      await queue.getByText("Queued", { exact: true }).waitFor();
      await one.page.reload();
      await queue.getByText("echo what waited").waitFor();
      await one.button(/Reject/).click();
      for (const visitor of [one, two]) {
        await visitor.sees("you rejected it");
        await visitor.button(/Allow once/).waitFor({ state: "detached" });
        await visitor.conversation.getByText("what waited", { exact: true }).waitFor();
      }
      await queue.waitFor({ state: "detached" });
      expect([...one.complaints, ...two.complaints]).toEqual([]);
    },
  );

  test("a session whose files are damaged says so, can be read, and is deleted where it says so", {
    timeout: MINUTE_MS,
  }, async () => {
    const daemon = await RunningDaemon.start();
    await daemon.client.createSession("s", { agent: "mock" });
    const visitor = await Visitor.open(browser(), daemon.link);
    await visitor.page.getByRole("link", { name: /^Idle s/ }).click();
    await visitor.send("echo what is left");
    await visitor.conversation.getByText("what is left", { exact: true }).waitFor();
    await visitor.idle();
    await daemon.kill();
    writeFileSync(join(daemon.dataDir, "sessions", "s", "session.json"), "{");
    await daemon.startAgain();
    await visitor.sees("This session cannot go on");
    await visitor.sees(/The files of session "s" are damaged .* Read what is left of it, or delete it\./);
    await visitor.conversation.getByText("what is left", { exact: true }).waitFor();
    await visitor.message.waitFor({ state: "detached" });
    await visitor.page.getByRole("link", { name: /Cannot go on/ }).waitFor();
    expect(await seriousFindings(visitor.page)).toEqual([]);
    await visitor.button("Delete").click();
    await visitor.page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await visitor.sees("Start your first session");
  });

  test("a daemon that is killed in the middle of a turn and started again", { timeout: MINUTE_MS }, async () => {
    const daemon = await RunningDaemon.start();
    await daemon.client.createSession("s", { agent: "mock" });
    const visitor = await Visitor.open(browser(), daemon.link);
    await visitor.page.getByRole("link", { name: /^Idle s/ }).click();
    await visitor.send("slow 1000 30");
    await visitor.sees("1 2 3");
    const shift = await shiftWhile(visitor, () => visitor.sees("40 41 42"));
    // The one line below the text moves down when the text needs another.
    expect(shift).toBeLessThan(0.01);
    await daemon.kill();
    await visitor.sees("Reconnecting");
    await daemon.startAgain();
    await visitor.idle();
    await visitor.sees("Failed");
    await visitor.send("echo and on it goes");
    await visitor.conversation.getByText("and on it goes", { exact: true }).waitFor();
    const text = await conversationText(visitor);
    expect(text.match(/1 2 3 4/g)).toHaveLength(1);

    await daemon.kill();
    const url = visitor.page.url();
    const refused = visitor.page.waitForEvent("requestfailed", (request) => request.url().endsWith("/messages"));
    await visitor.send("words for nobody");
    await refused;
    await visitor.page.reload().catch(() => undefined);
    // The browser shows its page about the failure only after the reload has failed.
    await visitor.page.waitForURL("chrome-error://chromewebdata/");
    await daemon.startAgain();
    await visitor.page.goto(url);
    await expect.poll(() => visitor.message.inputValue()).toBe("words for nobody");
  });
});

async function conversationText({ conversation }: Visitor): Promise<string> {
  return (await conversation.textContent()) ?? "";
}

/** How much of what stands on the page moved by itself meanwhile, as browsers measure it. */
async function shiftWhile({ page }: Visitor, run: () => Promise<void>): Promise<number> {
  const observed = await page.evaluateHandle(() => {
    const shifts: number[] = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value);
    }).observe({ type: "layout-shift" });
    return shifts;
  });
  await run();
  return observed.evaluate((shifts) => shifts.reduce((sum, value) => sum + value, 0));
}

function numbers(count: number): string {
  return Array.from({ length: count }, (_, at) => at + 1).join(" ");
}
