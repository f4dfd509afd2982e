import { readRegularTextSync } from "@sandbox-agent-ts/agents";
import type { Environment } from "../data-dir.ts";
import { amp } from "./amp.ts";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { type Credential, type CredentialPlace, type CredentialSource, objectIn } from "./credential.ts";
import { opencode } from "./opencode.ts";

const sources: readonly CredentialSource[] = [claude, codex, opencode, amp];

export const agentsWithCredentials = sources.map(({ agent }) => agent);

/** Every credential on this machine, the ones an agent would use first before the others. */
export function findCredentials(home: string, env: Environment, warn: (sentence: string) => void): Credential[] {
  const place: CredentialPlace = { home, env, readJson: (path) => readJson(path, warn) };
  return sources.flatMap(({ agent, find }) =>
    find(place)
      .filter((found) => found !== undefined)
      .map((found) => ({ agent, ...found })),
  );
}

function readJson(path: string, warn: (sentence: string) => void): Readonly<Record<string, unknown>> | undefined {
  try {
    return objectIn(JSON.parse(readRegularTextSync(path)));
  } catch (error) {
    // The message of a JSON error quotes the file, which is a secret.
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") warn(`Cannot use ${path}: it is not readable JSON.`);
    return undefined;
  }
}
