/** Feared: an agent that cannot be had from the page, or a failed installation that leaves a person with a dead button. */
import type { ServerResponse } from "node:http";
import { describeInBrowser } from "@sandbox-agent-ts/testing/browser";
import { expect, test } from "vitest";
import { installableAgent } from "../../../../packages/daemon/src/__fixtures__/installable-agent.ts";
import { startTestDaemon } from "../../../../packages/daemon/src/__fixtures__/test-daemon.ts";
import { buildUi, uiDirectory } from "../../../../scripts/setup.mjs";
import { seriousFindings } from "../__fixtures__/axe.ts";
import { Visitor } from "../__fixtures__/visitor.ts";

const MINUTE_MS = 60_000;

async function startWithInstallable() {
  await buildUi();
  const { agent, env, registry } = await installableAgent(["1.0.0"]);
  const { url } = await startTestDaemon({ version: "0.1.0", extraAgents: [agent], env, ui: uiDirectory });
  /** The registry says nothing until it is told to go on; then it asks to be asked again. */
  const hold = (): (() => void) => {
    const held: ServerResponse[] = [];
    registry.intercept = (_request, response) => {
      held.push(response);
      return true;
    };
    return () => {
      registry.intercept = undefined;
      for (const response of held) response.writeHead(503).end();
    };
  };
  return { url, registry, hold };
}

describeInBrowser("installing an agent", (browser) => {
  test("from the agents page: a failure is explained, and the next try shows that it works", {
    timeout: MINUTE_MS,
  }, async () => {
    const { url, registry, hold } = await startWithInstallable();
    const visitor = await Visitor.open(browser(), `${url}/ui/#/agents`);
    const { page } = visitor;
    const card = page.getByRole("listitem").filter({ hasText: "installable" });
    await card.getByText("Not installed").waitFor();

    registry.intercept = (_request, response) => {
      response.writeHead(403).end();
      return true;
    };
    await visitor.button("Install installable").click();
    const alert = card.getByRole("alert");
    await alert.getByText("installable could not be installed.").waitFor();
    expect(await alert.textContent()).toMatch(/answered 403: it asks for credentials\. Sign in with `npm login`/);
    expect(await seriousFindings(page)).toEqual([]);

    const goOn = hold();
    await visitor.button("Install installable").click();
    await page.getByRole("progressbar", { name: "Installing installable" }).waitFor();
    await visitor.button(/^Installing installable, 1 s$/).waitFor();
    expect(await alert.count()).toBe(0);
    expect(await seriousFindings(page)).toEqual([]);
    goOn();
    await card.getByText("Installed", { exact: true }).waitFor();
    await card.getByText("installable · 1.0.0").waitFor();
    expect(await card.getByRole("button").count()).toBe(0);
    expect(visitor.complaints).toEqual([]);
  });

  test("shows how much of the program has arrived", { timeout: MINUTE_MS }, async () => {
    const { url, registry } = await startWithInstallable();
    const visitor = await Visitor.open(browser(), `${url}/ui/#/agents`);
    const { page } = visitor;
    let breakOff = (): void => {};
    registry.intercept = ({ kind }, response) => {
      if (kind !== "archive") return undefined;
      response.writeHead(200, { "content-length": 4_000_000 }).write(Buffer.alloc(1_000_000));
      breakOff = () => response.destroy();
      return true;
    };
    await visitor.button("Install installable").click();
    await page.getByText(/^Downloading installable 1\.0\.0 · .* of /).waitFor();
    await page.locator('[role=progressbar][aria-valuenow="25"]').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    registry.intercept = undefined;
    breakOff();
    await page.getByText("installable · 1.0.0").waitFor();
    expect(visitor.complaints).toEqual([]);
  });

  test("from the dialog of a new session, which then knows its modes", { timeout: MINUTE_MS }, async () => {
    const { url } = await startWithInstallable();
    const visitor = await Visitor.open(browser(), `${url}/ui/`);
    await visitor.button("New session").first().click();
    const { page } = visitor;
    await page.getByRole("radio", { name: /installable Not installed/ }).check({ force: true });
    await visitor.button("Install installable").click();
    await page.getByRole("radio", { name: /installable Ready, 1.0.0/ }).waitFor();
    await page.getByRole("option", { name: "Build" }).waitFor({ state: "attached" });
    await visitor.button("Create session").click();
    await visitor.message.waitFor();
    expect(visitor.complaints).toEqual([]);
  });
});
