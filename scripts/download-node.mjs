import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { cacheDirectory } from "./cache-directory.mjs";
import { downloadPackage } from "./download-package.mjs";

/**
 * A folder with Node's binary (`file`) as a package of the npm registry has it, downloaded once. npm checks the hash that
 * the registry tells, we the one that is given. Rejects when it cannot be had.
 */
export async function downloadNode({ packageName, version, file, integrity }) {
  const folder = join(cacheDirectory(process.env), "node", `${packageName}-${version}`);
  if (!existsSync(join(folder, "package", file))) rmSync(folder, { recursive: true, force: true });
  return downloadPackage({
    name: packageName,
    version,
    folder,
    // Beside the binary the package has headers and manuals, which nobody needs here.
    leftOut: ["include", "share"],
    check: (archive) => integrity !== undefined && checkIntegrity(archive, integrity),
  });
}

export function checkIntegrity(file, expected) {
  const found = `sha512-${createHash("sha512").update(readFileSync(file)).digest("base64")}`;
  if (found === expected) return;
  throw new Error(`${file} is not the archive it should be: expected ${expected}, found ${found}.`);
}
