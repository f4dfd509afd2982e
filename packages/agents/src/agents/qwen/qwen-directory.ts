import { homedir } from "node:os";
import { join } from "node:path";

/** Where the user's own settings, sign-ins and skills are. */
export function qwenDirectory(env: Readonly<Record<string, string | undefined>>): string {
  return env.QWEN_HOME || join(env.HOME || homedir(), ".qwen");
}
