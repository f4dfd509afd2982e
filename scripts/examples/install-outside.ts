import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { inRoot } from "../root.mjs";

const ours = "@sandbox-agent-ts";
const program = "sandbox-agent";

/**
 * What `npm install` makes of tarballs, without a registry: our packages are unpacked, those of others are links to the ones
 * that this workspace has installed.
 */
export function installOutside(folder: string, tarballs: Readonly<Record<string, string>>): void {
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, ".bin"), { recursive: true });
  for (const name of readdirSync(inRoot("node_modules"))) {
    if (name !== ours && !name.startsWith(".")) symlinkSync(inRoot("node_modules", name), join(modules, name));
  }
  for (const name of readdirSync(inRoot("node_modules/.bin"))) {
    if (name !== program) symlinkSync(inRoot("node_modules/.bin", name), join(modules, ".bin", name));
  }
  for (const [name, tarball] of Object.entries(tarballs)) {
    const place = join(modules, name);
    mkdirSync(place, { recursive: true });
    execFileSync("tar", ["-xzf", tarball, "--strip-components=1", "-C", place]);
  }
  symlinkSync(join(modules, ours, "cli/bin/sandbox-agent.cjs"), join(modules, ".bin", program));
}

const isLeftOut = (path: string) => ["node_modules", "data"].includes(basename(path));

/** As somebody copies an example out of the repository and installs it there. */
export function copyExample(name: string, folder: string): string {
  const place = join(folder, name);
  cpSync(inRoot("examples", name), place, { recursive: true, filter: (path) => !isLeftOut(path) });
  symlinkSync(join(folder, "node_modules"), join(place, "node_modules"));
  return place;
}
