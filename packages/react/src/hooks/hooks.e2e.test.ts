/** Feared: hooks that are right in their stores and wrong in a browser: a stream too many, a render too many, a lost word. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SandboxAgent } from "@sandbox-agent-ts/sdk";
import { describeInBrowser, openPage } from "@sandbox-agent-ts/testing/browser";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { DaemonProcess } from "../../../daemon/src/__fixtures__/daemon-process.ts";
import { lastingPort } from "../../../testing/src/__fixtures__/lasting-port.ts";
import { buildPage } from "../__fixtures__/build-page.ts";

describeInBrowser("the hooks in a browser", (browser) => {
  let ui: string;
  beforeAll(async () => {
    ui = await buildPage();
  });
  afterAll(() => rmSync(ui, { recursive: true }));

  async function start() {
    const dataDir = mkdtempSync(join(tmpdir(), "sandbox-agent-react-"));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 }));
    const port = await lastingPort();
    const daemon = await DaemonProcess.start({ dataDir, ui, port });
    const client = await SandboxAgent.connect({ baseUrl: daemon.url });
    await client.createSession("s", { agent: "mock" });
    const restart = async () => {
      await daemon.kill();
      await DaemonProcess.start({ dataDir, ui, port });
    };
    return { client, daemon, restart, ...(await look(browser(), daemon.url)) };
  }

  test("a turn is shown as it happens, to all who look, from one stream", async () => {
    const { page, streams, complaints } = await start();
    await shows(page, "connection", "live");
    await send(page, "echo hello there");
    for (const name of ["one", "two"]) await shows(page, name, "echo hello there|hello there");
    await shows(page, "status", "idle");
    await shows(page, "title", "echo hello there");
    await shows(page, "sessions", /^s:idle:echo hello there$/);
    await shows(page, "agents", /mock/);
    expect(Number(await page.getByTestId("events").textContent())).toBeGreaterThan(5);
    expect(streams.opened).toBe(1);
    expect(complaints).toEqual([]);
  });

  test("leaving closes the stream, and coming back reads on", async () => {
    const { page, client, streams } = await start();
    await send(page, "echo one");
    await shows(page, "one-turns", "completed");
    const closed = streams.nextClosed();
    await page.getByText("Toggle").click();
    await closed;
    await client.postMessage("s", { message: "echo two" });
    await page.getByText("Toggle").click();
    await shows(page, "one", "echo one|one|echo two|two");
    expect(streams.opened).toBe(2);
  });

  test("requests are seen everywhere and answered anywhere; messages wait visibly", async () => {
    const { page } = await start();
    await send(page, "permission");
    await shows(page, "here", /^s: Run the command/);
    await shows(page, "all", /^s: Run the command/);
    await shows(page, "status", "waiting");
    await send(page, "question");
    await shows(page, "queued", "question");
    await page.getByText("Allow in all").click();
    await shows(page, "queued", "");
    await page.getByText("Answer in here").click();
    await shows(page, "one-turns", "completed,completed");
    await shows(page, "all", "");
    await send(page, "slow 10000 50");
    await shows(page, "status", "running");
    await page.getByText("Stop").click();
    await shows(page, "one-turns", "completed,completed,interrupted");
  });

  test("a reload in the middle of a turn loses nothing", async () => {
    const { page, client } = await start();
    await send(page, "slow 30 50");
    await shows(page, "status", "running");
    await shows(page, "one", /slow 30 50\|.+/);
    await page.reload();
    await shows(page, "one-turns", "completed");
    const { events } = await client.getEvents("s");
    await shows(page, "events", String(events.length));
  });

  test("a daemon that is killed in the middle of a turn and comes back is followed on", async () => {
    const { page, restart } = await start();
    await send(page, "slow 10000 50");
    await shows(page, "one", /slow 10000 50\|.+/);
    const before = await page.getByTestId("one").textContent();
    const away = shows(page, "connection", "reconnecting");
    await Promise.all([restart(), away]);
    await shows(page, "connection", "live");
    await shows(page, "one-turns", "error");
    expect(await page.getByTestId("one").textContent()).toContain(before);
    await send(page, "echo again");
    await shows(page, "one-turns", "error,completed");
  });

  test("two browsers see the same, a new title too", async () => {
    const { page, daemon } = await start();
    const { page: other } = await look(browser(), daemon.url);
    await send(page, "markdown");
    await shows(page, "one-turns", "completed");
    await shows(other, "one-turns", "completed");
    expect(await other.getByTestId("one").textContent()).toBe(await page.getByTestId("one").textContent());
    await page.getByText("Rename").click();
    await shows(page, "title", "Renamed");
    await shows(other, "title", "Renamed");
  });

  test("a flood of text renders by frames, and what does not show text not at all", async () => {
    const { page, client } = await start();
    await send(page, "burst 5000 20");
    await shows(page, "one-turns", "completed");
    const { events } = await client.getEvents("s");
    const renders = await page.evaluate<Record<string, number>>("renders");
    expect(events.length).toBeGreaterThan(5000);
    // Strict mode renders everything twice.
    expect(renders.one! / 2).toBeLessThan(events.length / 10);
    expect(renders.header! / 2).toBeLessThan(15);
  });
});

async function look(browser: Browser, url: string) {
  const opened = await openPage(browser, "about:blank");
  const streams = watchStreams(opened.page);
  await opened.page.goto(`${url}/ui/`);
  return { ...opened, streams };
}

function watchStreams(page: Page) {
  const streams = { opened: 0, nextClosed: () => page.waitForEvent("requestfailed", (request) => isStream(request)) };
  const isStream = (request: { url(): string }) => /\/v1\/sessions\/.*\/events\/sse/.test(request.url());
  page.on("request", (request) => {
    if (isStream(request)) streams.opened += 1;
  });
  return streams;
}

async function send(page: Page, message: string): Promise<void> {
  await page.getByLabel("message").fill(message);
  await page.getByText("Send", { exact: true }).click();
}

async function shows(page: Page, testId: string, wanted: string | RegExp): Promise<void> {
  await expect
    .poll(() => page.getByTestId(testId).textContent(), { timeout: 15_000 })
    .toEqual(typeof wanted === "string" ? wanted : expect.stringMatching(wanted));
}
