/** Feared: the window of one daemon, opened on a runtime, that shows nothing, the wrong thing, or not where a session runs. */
import { describeInBrowser } from "@sandbox-agent-ts/testing/browser";
import { expect, test } from "vitest";
import { seriousFindings } from "../__fixtures__/axe.ts";
import { RunningRuntime } from "../__fixtures__/running-runtime.ts";
import { screenshot } from "../__fixtures__/screenshot.ts";
import { Visitor } from "../__fixtures__/visitor.ts";

describeInBrowser("on a runtime", (browser) => {
  test("connect with a key, create, chat, approve, stop, see the sandbox, reload, outlive kill -9", {
    timeout: 120_000,
  }, async () => {
    const runtime = await RunningRuntime.start();
    const visitor = await Visitor.open(browser(), runtime.page);
    const { page } = visitor;
    await visitor.sees("This runtime wants an API key.");
    await visitor.sees("sandbox-agent runtime keys create");
    await page.getByLabel("Token").fill("sak_nobodys");
    await visitor.button("Connect").click();
    await visitor.sees(/is wrong/);
    await page.getByLabel("Token").fill(runtime.key);
    await visitor.button("Connect").click();
    await visitor.sees("Start your first session");

    await visitor.newSession("Mock", { Title: "In a sandbox" });
    const header = page.locator(".session-header");
    await header.getByText("No sandbox").waitFor();
    await visitor.send("echo hello from afar");
    await header.getByText("Sandbox ready").waitFor();
    await visitor.conversation.getByText("hello from afar", { exact: true }).waitFor();

    await visitor.send("permission");
    await visitor.button(/Allow once/).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await screenshot(page, "runtime");
    await page.reload();
    await visitor.button(/Allow once/).click();
    await visitor.sees("you allowed it this once");

    await visitor.send("slow 1000 50");
    await visitor.sees("1 2 3");
    await visitor.button("Stop").click();
    await visitor.sees("Stopped");
    await visitor.idle();

    await visitor.send("slow 60 50");
    await visitor.sees("1 2 3 4 5");
    await runtime.killAndStartAgain();
    await visitor.sees(Array.from({ length: 60 }, (_, at) => at + 1).join(" "));
    await visitor.idle();
    await header.getByText("Sandbox ready").waitFor();

    await visitor.link("Files").click();
    await visitor.button("New file").click();
    await page.getByLabel("Name", { exact: true }).fill("notes.md");
    await visitor.button("Create").click();
    await visitor.button(/^notes.md/).waitFor();
    await page.getByRole("button", { name: "Session menu" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await visitor.button("Delete").click();
    await visitor.sees("Start your first session");
    await expect.poll(() => runtime.sandboxes.folders).toEqual([]);
  });
});
