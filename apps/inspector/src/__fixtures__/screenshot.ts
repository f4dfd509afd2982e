import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { inRoot } from "../../../../scripts/root.mjs";

/** Take a picture of the page or a part of it for the documentation, when asked: `SANDBOX_AGENT_SCREENSHOTS=1`. */
export async function screenshot(page: Page, name: string, part: Page | Locator = page): Promise<void> {
  if (!process.env.SANDBOX_AGENT_SCREENSHOTS) return;
  await page.mouse.move(0, 0);
  await page.evaluate(() => document.fonts.ready);
  await part.screenshot({ path: join(inRoot("docs/images"), `inspector-${name}.png`), animations: "disabled" });
}
