import { join } from "node:path";
import type { Page } from "playwright-core";
import { inRoot } from "../../../../scripts/root.mjs";

/** Take a picture for the documentation, when asked: `SANDBOX_AGENT_SCREENSHOTS=1`. */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (!process.env.SANDBOX_AGENT_SCREENSHOTS) return;
  await page.mouse.move(0, 0);
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: join(inRoot("docs/images"), `inspector-${name}.png`), animations: "disabled" });
}
