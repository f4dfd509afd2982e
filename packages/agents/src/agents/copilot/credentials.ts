import { access } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

const variables = ["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN", "COPILOT_PROVIDER_BASE_URL"];

/** A token, a model of one's own, or a sign-in. */
export async function hasCredentials(env: Readonly<Record<string, string>>): Promise<boolean> {
  if (variables.some((name) => env[name])) return true;
  const home = env.COPILOT_HOME || join(env.HOME || homedir(), ".copilot");
  return access(join(home, "config.json")).then(
    () => true,
    () => false,
  );
}
