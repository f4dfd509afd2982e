import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { onTestFinished } from "vitest";

export interface OpenPage {
  readonly page: Page;
  /** What the browser complained about so far: errors of scripts, things a policy forbade, files that were not there. */
  readonly complaints: readonly string[];
}

/** A page with a profile of its own, as another person's browser would have it; closed when the test is over. */
export async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<OpenPage> {
  const context = await browser.newContext(options);
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(`${message.text()} ${message.location().url}`.trim());
  });
  await page.goto(url);
  return { page, complaints };
}
