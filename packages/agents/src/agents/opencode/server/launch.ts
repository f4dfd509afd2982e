import { randomBytes } from "node:crypto";
import type { Launch } from "../../../shared-server/launch.ts";
import { serverConfig } from "./server-config.ts";

type Environment = Readonly<Record<string, string>>;

/** Off is what reaches for the network unasked; on is the tool with which a plan is proposed. The user's word counts. */
const switches: Environment = {
  OPENCODE_DISABLE_AUTOUPDATE: "1",
  OPENCODE_DISABLE_MODELS_FETCH: "1",
  OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
  OPENCODE_EXPERIMENTAL_PLAN_MODE: "1",
};

/**
 * The environment of the process, and the password it then wants. Its commands get all of it: only a plugin could keep it
 * from them, and with a plugin OpenCode waits for a package to be installed before it does anything.
 */
export function serverEnvironment({ env }: Launch): { env: Environment; password: string } {
  const password = randomBytes(24).toString("base64url");
  const own = {
    OPENCODE_SERVER_PASSWORD: password,
    OPENCODE_SERVER_USERNAME: "opencode",
    OPENCODE_CONFIG_CONTENT: serverConfig(env.OPENCODE_CONFIG_CONTENT),
  };
  return { env: { ...switches, ...env, ...own }, password };
}
