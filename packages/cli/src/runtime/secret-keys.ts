import { chmodSync, existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { resealSecrets, SecretBox } from "@sandbox-agent-ts/runtime";
import type { Environment } from "../data-dir.ts";
import { generatedToken } from "../server/generated-token.ts";
import { openStore } from "./open-runtime.ts";
import { type RuntimeFlags, runtimeSettings } from "./runtime-settings.ts";

interface SecretKeys {
  readonly secretKey: string;
  /** What is sealed with them is sealed anew with `secretKey`. */
  readonly oldSecretKeys: readonly string[];
}

const ownerOnly = 0o600;

/** With which secrets are sealed: what the environment says, else what is kept beside the store. */
export function secretKeys(directory: string, env: Environment): SecretKeys {
  const named = (env.SANDBOX_AGENT_OLD_SECRET_KEYS ?? "").split(",").filter((key) => key !== "");
  const kept = replacedKey(directory);
  const older = existsSync(kept) ? [readFileSync(kept, "utf8").trim()] : [];
  return {
    secretKey: env.SANDBOX_AGENT_SECRET_KEY || generatedToken(directory),
    oldSecretKeys: [...named, ...older],
  };
}

/**
 * Make another secret key and seal everything with it; how many secrets. The old key is kept until all of them are, so that
 * it may be broken off at any place: the next try, or the next start, goes on. Nobody else may have the store meanwhile.
 */
export async function rotateSecret(flags: RuntimeFlags, env: Environment): Promise<number> {
  const settings = runtimeSettings(flags, env);
  const { directory } = settings;
  const store = await openStore(settings, false);
  try {
    const isOurs = !env.SANDBOX_AGENT_SECRET_KEY;
    const current = join(directory, "token");
    if (isOurs && existsSync(current) && !existsSync(replacedKey(directory))) {
      renameSync(current, replacedKey(directory));
      chmodSync(replacedKey(directory), ownerOnly);
    }
    const { secretKey, oldSecretKeys } = secretKeys(directory, env);
    const count = await resealSecrets(store, new SecretBox(secretKey, oldSecretKeys));
    const at = Date.now();
    const operation = "runtime keys rotate-secret";
    const entry = { at, principal: "command line", byToken: false, action: "runtime:admin", operation, status: 200 };
    await store.appendAudit([entry]);
    rmSync(replacedKey(directory), { force: true });
    return count;
  } finally {
    await store.close();
  }
}

/** The key that `token` had before. */
function replacedKey(directory: string): string {
  return join(directory, "token.old");
}
