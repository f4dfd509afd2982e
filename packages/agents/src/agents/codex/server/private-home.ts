import { createHash } from "node:crypto";
import { copyFile, mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** What of the user's home an agent reads and never writes. */
const shared = ["AGENTS.md", "AGENTS.override.md", "prompts", "rules", "skills"];

/**
 * A home of the daemon's own for a user who never signed in but has a key in the environment, which the app-server does
 * not look at: the key as a login, the user's config as it is now. One for each key, so that conversations are found again.
 */
export async function preparePrivateHome(dataDir: string, userHome: string, key: string): Promise<string> {
  const home = join(dataDir, `home-${createHash("sha256").update(key).digest("hex").slice(0, 16)}`);
  await mkdir(home, { recursive: true, mode: 0o700 });
  const login = JSON.stringify({ auth_mode: "apikey", OPENAI_API_KEY: key });
  await writeFile(join(home, "auth.json.new"), login, { mode: 0o600 });
  await rename(join(home, "auth.json.new"), join(home, "auth.json"));
  await copyConfig(userHome, home);
  await Promise.all(shared.map((name) => share(join(userHome, name), join(home, name))));
  return home;
}

async function copyConfig(userHome: string, home: string): Promise<void> {
  const config = join(home, "config.toml");
  await copyFile(join(userHome, "config.toml"), config).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return rm(config, { force: true });
  });
}

async function share(original: string, link: string): Promise<void> {
  await symlink(original, link).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
}
