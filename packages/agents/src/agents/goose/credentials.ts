import { access } from "node:fs/promises";
import { join } from "node:path";
import { configFolder } from "./config-folder.ts";

/** A provider that is named has its key in the environment, or needs none. */
export async function hasCredentials(env: Readonly<Record<string, string>>): Promise<boolean> {
  if (env.GOOSE_PROVIDER) return true;
  return access(join(configFolder(env), "config.yaml")).then(
    () => true,
    () => false,
  );
}
