import { spawnSync } from "node:child_process";
import { installDebianPackage } from "./debian-package.mjs";

/** Have bubblewrap for the tests of isolated sandboxes. */
export async function ensureBubblewrap() {
  const isMissing = spawnSync("bwrap", ["--version"]).error !== undefined;
  if (isMissing && process.platform === "linux") await installDebianPackage("bubblewrap", "the tests of sandboxes");
}
