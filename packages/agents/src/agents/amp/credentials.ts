import { readFile } from "node:fs/promises";
import { join } from "node:path";

type Env = Readonly<Record<string, string>>;

/** Whether Amp has a key to sign in with. Looks whether it is there, never what it is. */
export async function hasCredentials(env: Env): Promise<boolean> {
  if (env.AMP_API_KEY) return true;
  const dataHome = env.XDG_DATA_HOME ?? (env.HOME ? join(env.HOME, ".local", "share") : undefined);
  if (dataHome === undefined) return false;
  const text = await readFile(join(dataHome, "amp", "secrets.json"), "utf8").catch(() => "{}");
  return /"apiKey@[^"]*"\s*:/.test(text);
}

/** Whether it is worth starting Amp. On a Mac the keychain may have a key that nobody else can see. */
export async function maySignIn(env: Env, platform: string = process.platform): Promise<boolean> {
  return platform === "darwin" || hasCredentials(env);
}
