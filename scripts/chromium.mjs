import { existsSync } from "node:fs";
import { importSource } from "./gen/import-source.mjs";
import { run } from "./run.mjs";

const aptGet = "/usr/bin/apt-get";
/** A network that is away is not waited for. */
const patience = ["-o", "Acquire::Retries=1", "-o", "Acquire::http::Timeout=20"];
const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };

/**
 * Have a Chromium for the tests that need one, where that takes no more than Debian's package and root is who we are.
 * Without it those tests say so and the rest runs.
 */
export async function ensureChromium() {
  const { chromiumPath } = await importSource("packages/testing/src/browser/chromium-path.ts");
  if (chromiumPath() !== undefined || !existsSync(aptGet) || process.getuid?.() !== 0) return;
  console.error("Installing Chromium for the browser tests …");
  const steps = [["update"], ["install", "--yes", "--no-install-recommends", "chromium"]];
  for (const step of steps) {
    if ((await run(aptGet, ["-qq", ...patience, ...step], { env })) === 0) continue;
    console.error("Chromium could not be installed; see above. The tests without a browser run all the same.");
    return;
  }
}
