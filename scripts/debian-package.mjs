import { existsSync } from "node:fs";
import { run } from "./run.mjs";

const aptGet = "/usr/bin/apt-get";
/** A network that is away is not waited for. */
const patience = ["-o", "Acquire::Retries=1", "-o", "Acquire::http::Timeout=20"];
const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };

/** Install a package for tests that need it, where root on Debian is who we are. Without it those tests say so. */
export async function installDebianPackage(name, whatFor) {
  if (!existsSync(aptGet) || process.getuid?.() !== 0) return;
  console.error(`Installing ${name} for ${whatFor} …`);
  const steps = [["update"], ["install", "--yes", "--no-install-recommends", name]];
  for (const step of steps) {
    if ((await run(aptGet, ["-qq", ...patience, ...step], { env })) === 0) continue;
    console.error(`${name} could not be installed; see above. The other tests run all the same.`);
    return;
  }
}
