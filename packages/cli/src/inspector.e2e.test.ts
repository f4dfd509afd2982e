/** Feared: a link that is printed and does not open, or that leaves the token where somebody sees it. */
import { describeInBrowser, openPage } from "@sandbox-agent-ts/testing/browser";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { buildUi } from "../../../scripts/setup.mjs";
import { CliHome } from "./__fixtures__/cli-home.ts";

const buildTimeoutMs = 120_000;

let home: CliHome;

beforeAll(() => buildUi(), buildTimeoutMs);
beforeEach(async () => {
  home = await CliHome.create();
});

const linkIn = (banner: string): string | undefined => /Open\s+(\S+)/.exec(banner)?.[1];

describe("the inspector's link", () => {
  it("is printed by server and leads to the page", async () => {
    const { banner, url } = await home.startServer("--token", "a b/c");
    expect(linkIn(banner)).toBe(`${url}/ui/#token=a%20b%2Fc`);
    const answer = await fetch(linkIn(banner)!);
    expect(answer.headers.get("content-type")).toContain("text/html");
    const [, asset] = /src="([^"]+\.js)"/.exec(await answer.text()) ?? [];
    const script = await fetch(new URL(asset!, `${url}/ui/`), { headers: { "accept-encoding": "br" } });
    expect([script.status, script.headers.get("content-encoding")]).toEqual([200, "br"]);
    expect(script.headers.get("cache-control")).toContain("immutable");
  });

  it("is printed by daemon start, by the second one too", async () => {
    const start = () => home.json<{ url: string; inspector: string }>("daemon", "start", "--port", "0", "--json");
    const { url, inspector } = await start();
    expect(inspector).toMatch(new RegExp(`^${url}/ui/#token=[\\w-]+$`));
    expect((await start()).inspector).toBe(inspector);
  });

  it("is not there with --no-ui, nor is the page", async () => {
    const { banner, url } = await home.startServer("--no-ui");
    expect(linkIn(banner)).toBeUndefined();
    expect((await fetch(`${url}/ui/`)).status).toBe(404);
  });
});

describeInBrowser("the inspector's link in a browser", (browser) => {
  it("lets its reader in, and takes the token out of the address", async () => {
    const { banner, url } = await home.startServer();
    const link = linkIn(banner)!;
    const { page, complaints } = await openPage(browser(), "about:blank");
    const letIn = page.waitForResponse((answer) => answer.url() === `${url}/v1/sessions` && answer.ok());
    await page.goto(link);
    await letIn;
    expect(page.url()).not.toContain(new URL(link).hash.slice("#token=".length));
    expect(complaints).toEqual([]);
  });
});
