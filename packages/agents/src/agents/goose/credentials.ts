import { access } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

/** A provider that is named has its key in the environment, or needs none. */
export async function hasCredentials(env: Readonly<Record<string, string>>): Promise<boolean> {
  if (env.GOOSE_PROVIDER) return true;
  const home = env.XDG_CONFIG_HOME || join(env.HOME || homedir(), ".config");
  return access(join(home, "goose", "config.yaml")).then(
    () => true,
    () => false,
  );
}
