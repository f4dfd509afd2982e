import { join } from "node:path";
import { readRegularText } from "../../files/read-regular-file.ts";

type Env = Readonly<Record<string, string>>;

/** Whether Amp has a key to sign in with. Looks whether it is there, never what it is. */
export async function hasCredentials(env: Env): Promise<boolean> {
  if (env.AMP_API_KEY) return true;
  const dataHome = env.XDG_DATA_HOME ?? (env.HOME ? join(env.HOME, ".local", "share") : undefined);
  if (dataHome === undefined) return false;
  const text = await readRegularText(join(dataHome, "amp", "secrets.json")).catch(() => "{}");
  return /"apiKey@[^"]*"\s*:/.test(text);
}

/** Whether it is worth starting Amp. On a Mac the keychain may have a key that nobody else can see. */
export async function maySignIn(env: Env, platform: string = process.platform): Promise<boolean> {
  return platform === "darwin" || hasCredentials(env);
}
