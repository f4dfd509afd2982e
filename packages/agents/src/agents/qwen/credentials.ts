import { access } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

/** A key in the environment, a sign-in, or settings in which a person put one. */
export async function hasCredentials(env: Readonly<Record<string, string>>): Promise<boolean> {
  if (env.OPENAI_API_KEY) return true;
  const home = join(env.HOME || homedir(), ".qwen");
  const found = await Promise.all(
    ["oauth_creds.json", "settings.json"].map((name) =>
      access(join(home, name)).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(true);
}
