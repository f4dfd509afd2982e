/** Feared: a page that asks what to do while a message of somebody else waits for its sandbox. */
import { describeInBrowser } from "@sandbox-agent-ts/testing/browser";
import { expect, test } from "vitest";
import { RunningDaemon } from "../__fixtures__/running-daemon.ts";
import { Visitor } from "../__fixtures__/visitor.ts";

describeInBrowser("a session whose sandbox starts", (browser) => {
  test("says so in the place of the conversation, and that it runs", { timeout: 60_000 }, async () => {
    const server = await RunningDaemon.start();
    await server.client.createSession("s", { agent: "mock", title: "Starts" });
    const visitor = await Visitor.open(browser(), server.link);
    const { page } = visitor;
    const sandbox = { status: "starting", statusMessage: "Starting the daemon …", generation: 1, provider: "local" };
    const starting = { runtime: { isLoaded: true, sandbox }, queuedTurns: 1 };
    await page.route("**/v1/sessions/s", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), ...starting } });
    });
    await page.getByRole("link", { name: /Starts/ }).click();
    await page.getByRole("heading", { name: "Starting the sandbox" }).waitFor();
    await page.locator(".session-empty").getByText("Starting the daemon …").waitFor();
    await page.locator(".session-header").getByText("Running").waitFor();
    await visitor.button("Stop").waitFor();
    expect(visitor.complaints).toEqual([]);
  });
});
