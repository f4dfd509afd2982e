import { setTimeout as delay } from "node:timers/promises";
import { AgentSandbox, type AgentSandboxDeps } from "../sandboxes/agent-sandbox.ts";
import type { StoredSandbox } from "../store/runtime-store.ts";
import { messageOf, outage, pauseAfter } from "./outage.ts";
import type { RuntimeLimits } from "./runtime-deps.ts";

export interface FindOptions {
  readonly limits: Pick<RuntimeLimits, "healthIntervalMs" | "providerOutageMs">;
  readonly signal: AbortSignal;
  /** Called with the reason whenever its provider does not answer. */
  readonly onAway: (why: string) => void;
}

export type FoundSandbox =
  | { readonly sandbox: AgentSandbox; readonly isSuspended: boolean }
  | { readonly lost: string };

/**
 * The sandbox that a row names, or why it is lost. A provider that does not answer has lost nothing: it is asked again for as
 * long as an outage may last. Undefined when nobody wants to know any more.
 */
export async function findSandbox(
  deps: AgentSandboxDeps,
  row: StoredSandbox,
  { limits, signal, onAway }: FindOptions,
): Promise<FoundSandbox | undefined> {
  if (row.provider !== deps.provider.name) {
    return {
      lost: `the provider "${row.provider}" made it, and this runtime was started with "${deps.provider.name}"`,
    };
  }
  const begun = performance.now();
  while (!signal.aborted) {
    let pauseMs = limits.healthIntervalMs;
    try {
      const sandbox = await AgentSandbox.attach(deps, row);
      if (!sandbox) return { lost: "it was gone when the runtime was started again" };
      return { sandbox, isSuspended: await isSuspended(sandbox) };
    } catch (error) {
      const why = messageOf(error);
      if (performance.now() - begun > limits.providerOutageMs)
        return { lost: outage("unknown", limits.providerOutageMs, why) };
      onAway(why);
      pauseMs = pauseAfter(error, pauseMs);
    }
    await delay(pauseMs, undefined, { signal }).catch(() => {});
  }
  return undefined;
}

/** A daemon that answers is awake, whoever else does not. */
async function isSuspended(sandbox: AgentSandbox): Promise<boolean> {
  try {
    return (await sandbox.life()).state === "suspended";
  } catch (error) {
    if (await sandbox.isHealthy()) return false;
    throw error;
  }
}
