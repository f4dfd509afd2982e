import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where sessions, logs and the running daemon's record live unless somebody says otherwise. */
export function dataDirectory(given: string | undefined, env: Environment): string {
  const named = given ?? (env.SANDBOX_AGENT_DATA_DIR || undefined);
  return named === undefined ? join(userDataDirectory(env), "sandbox-agent") : resolve(named);
}

/** XDG asks to ignore a path that is not absolute. */
function userDataDirectory(env: Environment): string {
  const xdg = env.XDG_DATA_HOME;
  return xdg !== undefined && isAbsolute(xdg) ? xdg : join(env.HOME || homedir(), ".local", "share");
}
