import { homedir } from "node:os";
import { join } from "node:path";

/** Where Goose keeps what the user has set. */
export function configFolder(env: Readonly<Record<string, string | undefined>>): string {
  if (env.GOOSE_PATH_ROOT) return join(env.GOOSE_PATH_ROOT, "config");
  return join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), ".config"), "goose");
}
