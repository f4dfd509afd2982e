import { SandboxProviderError } from "../sandbox-provider.ts";
import { type DockerEngine, isProviderError } from "./docker-engine.ts";

/** The setting, and the network it stands for. */
const internal = "internal";
const internalName = "sandbox-agent-internal";

export interface SandboxNetwork {
  readonly name: string;
  /** Without a way out, and so without published ports. */
  readonly isInternal: boolean;
}

/** The network that a setting names. The internal one is made when it is first used. */
export async function ensureNetwork(engine: DockerEngine, setting: string): Promise<SandboxNetwork> {
  if (setting === "bridge") return { name: setting, isInternal: false };
  const name = setting === internal ? internalName : setting;
  const path = `/networks/${encodeURIComponent(name)}`;
  const found = await engine.find<{ Internal: boolean }>("GET", path);
  if (found !== undefined) return { name, isInternal: found.Internal };
  if (setting !== internal) {
    const detail = `The Docker engine has no network "${name}". Make it with \`docker network create ${name}\``;
    throw new SandboxProviderError("not_found", `${detail}, or name another as the setting network.`);
  }
  const body = { Name: name, Internal: true, CheckDuplicate: true, Labels: { "sandbox-agent.network": internal } };
  await engine.call("POST", "/networks/create", { body }).catch((error: unknown) => {
    if (!isProviderError(error, "conflict")) throw error;
  });
  return { name, isInternal: true };
}
