import { installDebianPackage } from "./debian-package.mjs";
import { importSource } from "./gen/import-source.mjs";

/** Have a Chromium for the tests that need one. */
export async function ensureChromium() {
  const { chromiumPath } = await importSource("packages/testing/src/browser/chromium-path.ts");
  if (chromiumPath() === undefined) await installDebianPackage("chromium", "the browser tests");
}
