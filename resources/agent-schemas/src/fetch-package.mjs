import { join } from "node:path";
import { cacheDirectory } from "../../../scripts/cache-directory.mjs";
import { downloadPackage } from "../../../scripts/download-package.mjs";

/** The folder of a package's exact version, from the cache or the registry that npm is configured for. */
export function fetchPackage(name, version) {
  const folder = join(cacheDirectory(process.env), "schemas", `${name.replace("/", "+")}@${version}`);
  return downloadPackage({ name, version, folder });
}
