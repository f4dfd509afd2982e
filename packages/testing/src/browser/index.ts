export { chromiumPath } from "./chromium-path.ts";
export { describeInBrowser } from "./describe-in-browser.ts";
export { type OpenPage, openPage } from "./open-page.ts";
