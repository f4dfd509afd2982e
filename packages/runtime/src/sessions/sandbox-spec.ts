import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { CreateSessionRequest } from "@sandbox-agent-ts/protocol";
import { bundleFile } from "../sandboxes/agent-sandbox.ts";
import type { SandboxSpec } from "../sandboxes/sandbox-provider.ts";
import type { RuntimeDeps } from "./runtime-deps.ts";
import type { SessionSettings } from "./session-settings.ts";

/** The label by which everything that belongs to a store is found at a provider. */
export const storeLabel = "sandbox-agent-store";

/** What somebody may wish of a sandbox. */
export type SandboxWishes = NonNullable<CreateSessionRequest["sandbox"]>;

export interface SandboxPlan {
  readonly spec: SandboxSpec;
  readonly template: string;
}

type PlanDeps = Pick<RuntimeDeps, "store" | "catalog" | "bundle" | "provider" | "agentEnv" | "secrets" | "limits">;

/** What a session's sandbox is made of, with the program of its agent in place. */
export async function sandboxSpec(
  deps: PlanDeps,
  { agent, sandbox }: SessionSettings,
  labels: Readonly<Record<string, string>>,
): Promise<SandboxPlan> {
  if (!deps.provider.hasPrograms) await deps.catalog.ensureInstalled(agent);
  return planOf(deps, sandbox ?? {}, labels);
}

/**
 * Sandboxes of one template are interchangeable until they belong to a session: made by the same provider from the same
 * wishes, with the same program and the same environment in them, also after another start of the runtime. The environment
 * has the keys of models in it, so that whoever has the store must not be able to try values.
 */
export async function planOf(
  { store, catalog, bundle, provider, agentEnv, secrets, limits }: PlanDeps,
  wished: SandboxWishes,
  labels: Readonly<Record<string, string>>,
): Promise<SandboxPlan> {
  const wishes = {
    image: wished.image ?? undefined,
    network: wished.network ?? undefined,
    memoryMiB: wished.memoryMiB ?? undefined,
    cpus: wished.cpus ?? undefined,
  };
  const env = Object.entries(agentEnv).sort(([a], [b]) => (a < b ? -1 : 1));
  const made = [provider.name, wishes, bundle, await versionOf(bundle), catalog.programs, env];
  const template = secrets.digest(JSON.stringify(made)).slice(0, 16);
  const life = provider.can.extend ? { lifeMs: limits.sandboxLifeMs } : {};
  const spec = {
    labels: { [storeLabel]: store.storeId, ...labels },
    bundle,
    programs: catalog.programs,
    ...wishes,
    ...life,
  };
  return { spec, template };
}

/** Changes when the program is replaced where it is. */
async function versionOf(bundle: string): Promise<string | undefined> {
  try {
    const { size, mtimeMs } = await stat(join(bundle, bundleFile));
    return `${size} ${mtimeMs}`;
  } catch {
    return undefined;
  }
}
