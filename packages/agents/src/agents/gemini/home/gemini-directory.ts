import { homedir } from "node:os";
import { join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** What the program takes for the user's home. */
export function userHome(env: Environment): string {
  return env.GEMINI_CLI_HOME || env.HOME || homedir();
}

/** Where the user's own settings, sign-ins and conversations are. */
export function geminiDirectory(env: Environment): string {
  return join(userHome(env), ".gemini");
}
