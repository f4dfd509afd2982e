import { access } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { readRegularText } from "../../files/read-regular-file.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** In this order; Codex's own command line prefers the first, too. */
const keyVariables = ["CODEX_API_KEY", "OPENAI_API_KEY"] as const;

/** The user's own. */
export function codexHome(env: Environment): string {
  return env.CODEX_HOME || join(env.HOME || homedir(), ".codex");
}

/** The variable that holds a key, if one does. */
export function keyVariable(env: Environment): (typeof keyVariables)[number] | undefined {
  return keyVariables.find((name) => env[name]);
}

/** Somebody signed in there. What is in the file is none of our business. */
export async function hasLogin(home: string): Promise<boolean> {
  return access(join(home, "auth.json")).then(
    () => true,
    () => false,
  );
}

/** Signed in, or a key is in the environment: the usual one, or the one a provider of the user's config asks for. */
export async function credentialsAvailable(env: Environment): Promise<boolean> {
  const home = codexHome(env);
  if (keyVariable(env) !== undefined || (await hasLogin(home))) return true;
  const config = await readRegularText(join(home, "config.toml")).catch(() => "");
  return [...config.matchAll(/^\s*env_key\s*=\s*["'](\w+)["']/gm)].some(([, name]) => Boolean(env[name!]));
}
