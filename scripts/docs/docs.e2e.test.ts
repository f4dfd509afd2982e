/** Feared: documentation that cannot be read in a browser, or only with a network. */
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeInBrowser, openPage } from "../../packages/testing/src/browser/index.ts";
import { serveDocs } from "./serve.mjs";
import { docsDirectory, readSite } from "./site.mjs";

let docs: Awaited<ReturnType<typeof serveDocs>>;

beforeAll(async () => {
  docs = await serveDocs({ port: 0 });
});
afterAll(() => docs.close());

test("what is not there, or not of the documentation, is not handed out", async () => {
  for (const path of ["/nothing", "/..%2fpackage.json", "/../package.json", "/images", "/quickstart.mdx"])
    expect((await fetch(new URL(path, docs.url))).status, path).toBe(404);
});

test("the OpenAPI file is where the pages say", async () => {
  const answer = await fetch(new URL("/openapi.json", docs.url));
  expect(((await answer.json()) as { openapi: string }).openapi).toBe("3.1.0");
});

describeInBrowser("in a browser", (browser) => {
  test("every page is shown, without a complaint and without another host", { timeout: 180_000 }, async () => {
    const { page, complaints } = await openPage(browser(), docs.url);
    const hosts = new Set<string>();
    page.on("request", (request) => hosts.add(new URL(request.url()).host));
    for (const { path, title } of readSite().pages as { path: string; title: string }[]) {
      await page.goto(new URL(path, docs.url).href);
      expect(await page.locator("h1").textContent()).toBe(title);
      const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
      expect([path, overflow]).toEqual([path, 0]);
    }
    expect(complaints).toEqual([]);
    expect([...hosts]).toEqual([new URL(docs.url).host]);
  });

  test("an address that names a section opens it", async () => {
    const { page } = await openPage(browser(), new URL("/http-api#get-v1agents", docs.url).href);
    const section = page.locator("#get-v1agents");
    expect(await section.getAttribute("open")).toBe("");
    await section.locator("label", { hasText: "SDK" }).click();
    expect(await section.getByText("client.listAgents()").isVisible()).toBe(true);
    expect(await section.getByText("curl -H").isVisible()).toBe(false);
  });

  test("a page is shown anew when its file changes", async () => {
    const { page } = await openPage(browser(), new URL("/troubleshooting", docs.url).href);
    const reloaded = page.waitForEvent("load");
    utimesSync(join(docsDirectory, "troubleshooting.mdx"), new Date(), new Date());
    await reloaded;
    expect(await page.locator("h1").textContent()).toBe("Troubleshooting");
  });
});
