import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { cacheDirectory } from "./cache-directory.mjs";

const run = promisify(execFile);

/** Without a network npm would go on trying for minutes. */
const patience = { timeout: 5 * 60 * 1000 };
const npmPack = ["pack", "--silent", "--fetch-retries=1", "--fetch-retry-mintimeout=1000"];

/**
 * A folder with Node's binary (`file`) as a package of the npm registry has it, downloaded once. npm checks the hash that
 * the registry tells, we the one that is given. Rejects when it cannot be had.
 */
export async function downloadNode({ packageName, version, file, integrity }) {
  const folder = join(cacheDirectory(process.env), "node", `${packageName}-${version}`);
  const unpacked = join(folder, "package");
  if (existsSync(join(unpacked, file))) return unpacked;
  mkdirSync(join(folder, ".."), { recursive: true });
  // Made whole under another name, so that a download that was cut off is never taken for one.
  const temporary = mkdtempSync(`${folder}.`);
  try {
    await run("npm", [...npmPack, "--pack-destination", temporary, `${packageName}@${version}`], patience);
    const archive = join(temporary, `${packageName}-${version}.tgz`);
    if (integrity !== undefined) checkIntegrity(archive, integrity);
    // Beside them the package has headers and manuals, which nobody needs here.
    await run("tar", ["-xzf", archive, "-C", temporary, "--exclude=include", "--exclude=share"]);
    rmSync(archive);
    rmSync(folder, { recursive: true, force: true });
    renameSync(temporary, folder);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  return unpacked;
}

export function checkIntegrity(file, expected) {
  const found = `sha512-${createHash("sha512").update(readFileSync(file)).digest("base64")}`;
  if (found === expected) return;
  throw new Error(`${file} is not the archive it should be: expected ${expected}, found ${found}.`);
}
