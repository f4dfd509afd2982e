import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Without a network npm would go on trying for minutes. */
const patience = { timeout: 5 * 60 * 1000 };

/** How long npm tries, and where it asks, if not where it is set up to. */
export function npmArguments() {
  const registry = process.env.SANDBOX_AGENT_NPM_REGISTRY;
  const where = registry ? ["--registry", registry] : [];
  return ["--fetch-retries=1", "--fetch-retry-mintimeout=1000", ...where];
}

/**
 * The folder of an unpacked package of the npm registry, downloaded once into `folder`. npm checks the hash that the
 * registry tells; `check` is given the archive. Rejects when it cannot be had.
 */
export async function downloadPackage({ name, version, folder, leftOut = [], check }) {
  const unpacked = join(folder, "package");
  if (existsSync(unpacked)) return unpacked;
  mkdirSync(dirname(folder), { recursive: true });
  // Made whole under another name, so that a download that was cut off is never taken for one.
  const temporary = mkdtempSync(`${folder}.`);
  try {
    const pack = ["pack", "--silent", ...npmArguments(), "--pack-destination", temporary, `${name}@${version}`];
    await run("npm", pack, patience);
    const archive = join(temporary, readdirSync(temporary)[0]);
    check?.(archive);
    await run("tar", ["-xzf", archive, "-C", temporary, ...leftOut.map((each) => `--exclude=${each}`)]);
    rmSync(archive);
    rmSync(folder, { recursive: true, force: true });
    renameSync(temporary, folder);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  return unpacked;
}
