import axe from "axe-core";
import type { Page } from "playwright-core";

declare global {
  interface Window {
    axe: typeof axe;
  }
}

/** What keeps people out who do not use eyes or a mouse: the serious and critical findings, in words. */
export async function seriousFindings(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  return serious.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`),
  );
}
