import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/** The Chromium of this machine: the one that is named, or the first on the PATH. */
export function chromiumPath(env: Readonly<Record<string, string | undefined>> = process.env): string | undefined {
  if (env.SANDBOX_AGENT_CHROMIUM) return env.SANDBOX_AGENT_CHROMIUM;
  const directories = (env.PATH ?? "").split(delimiter).filter((directory) => directory !== "");
  return directories.flatMap((directory) => names.map((name) => join(directory, name))).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
