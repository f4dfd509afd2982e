import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { bytesOf, freedBy, listFiles } from "./disk-usage.ts";
import { duringStep } from "./install-failure.ts";
import { withInstallLock } from "./install-lock.ts";
import { listInstalled, recordName } from "./installed-programs.ts";

export interface UninstalledProgram {
  readonly versions: readonly string[];
  /** What its files took. */
  readonly bytes: number;
  /** What of it is free now; the rest is shared with the cache or another data directory. */
  readonly freedBytes: number;
}

/** Removes every version of a program from the install root; the record goes first, so that a kill leaves none half there. */
export async function uninstallProgram(
  name: string,
  { installRoot }: { readonly installRoot: string },
): Promise<UninstalledProgram> {
  const home = join(installRoot, name);
  const entries = await readdir(home).catch(() => []);
  if (entries.length === 0) return { versions: [], bytes: 0, freedBytes: 0 };
  const lock = "install.lock";
  return duringStep("store", `Uninstalling ${name}`, () =>
    withInstallLock(join(home, lock), async () => {
      const versions = (await listInstalled(installRoot, name)).map(({ version }) => version);
      const files = (await listFiles(home)).filter(({ path }) => path !== join(home, lock));
      for (const entry of await readdir(home)) {
        if (entry === lock) continue;
        await rm(join(home, entry, recordName), { force: true });
        await rm(join(home, entry), { recursive: true, force: true });
      }
      return { versions, bytes: bytesOf(files), freedBytes: freedBy(files) };
    }),
  );
}
