import { access } from "node:fs/promises";
import { join } from "node:path";
import { readRegularText } from "../../files/read-regular-file.ts";
import { geminiDirectory } from "./home/gemini-directory.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The program's own names for the ways to sign in. */
export type AuthType = "gemini-api-key" | "vertex-ai" | "oauth-personal" | "gateway";

const loginFiles = ["oauth_creds.json", "gemini-credentials.json"];

export async function credentialsAvailable(env: Environment): Promise<boolean> {
  return (await availableAuth(env)) !== undefined;
}

/**
 * The way to sign in that there is something for. The program itself wants to be told one in its settings: with a key
 * in the environment and nothing else it begins conversations, but goes on with none.
 */
export async function availableAuth(env: Environment): Promise<AuthType | undefined> {
  const directory = geminiDirectory(env);
  const all = { ...(await readDotEnv(join(directory, ".env"))), ...env };
  if (all.GEMINI_API_KEY) return "gemini-api-key";
  if (all.GOOGLE_GENAI_USE_VERTEXAI === "true") return "vertex-ai";
  if (all.GOOGLE_GEMINI_BASE_URL) return "gateway";
  const logins = await Promise.all(loginFiles.map((name) => exists(join(directory, name))));
  return logins.includes(true) ? "oauth-personal" : undefined;
}

/** As far as we have to know it: `NAME=value` or `export NAME="value"`. */
async function readDotEnv(path: string): Promise<Record<string, string>> {
  const text = await readRegularText(path).catch(() => "");
  const lines = text.matchAll(/^\s*(?:export\s+)?(\w+)\s*=\s*["']?(.*?)["']?\s*$/gm);
  return Object.fromEntries(Array.from(lines, ([, name, value]) => [name!, value!]));
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
