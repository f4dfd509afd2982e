// What colors code has types that bring those of a browser with them.
import type { readSite } from "./site.mjs";

export interface Page {
  readonly slug: string;
  readonly path: string;
  readonly title: string;
  readonly text: string;
}

export function renderPage(page: Page, site: ReturnType<typeof readSite>): Promise<string>;
