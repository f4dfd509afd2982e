import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe } from "vitest";
import { chromiumPath } from "./chromium-path.ts";

const LAUNCH_TIMEOUT_MS = 60_000;

/** A browser that talks to nobody but the page's own server. */
const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * A group of tests in a real Chromium, one for the whole group. Where there is none the group says so in its title, and
 * the rest runs.
 */
export function describeInBrowser(title: string, tests: (browser: () => Browser) => void): void {
  const executablePath = chromiumPath();
  const missing = " (not here: there is no Chromium; install it, or name it in SANDBOX_AGENT_CHROMIUM)";
  describe.skipIf(executablePath === undefined)(executablePath === undefined ? title + missing : title, () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await chromium.launch({ executablePath: executablePath!, args, timeout: LAUNCH_TIMEOUT_MS });
    }, LAUNCH_TIMEOUT_MS);
    afterAll(() => browser.close());
    tests(() => browser);
  });
}
