import type { ProviderCheck } from "../sandbox-provider.ts";
import type { E2bClient } from "./e2b-client.ts";
import type { E2bSettings } from "./e2b-settings.ts";

/** What is so at E2B, and what to do where it is not. */
export async function checkE2b(client: E2bClient, settings: E2bSettings): Promise<readonly ProviderCheck[]> {
  const { template, programs, publicTraffic, onTimeout } = settings;
  const from =
    programs === "image" ? "which has the daemon and the agents" : "into which the daemon and the agents are brought";
  const access = publicTraffic
    ? "Who knows a sandbox's name reaches its ports; the daemon lets in who has its token. Set publicTraffic to false for E2B's own."
    : "Ports of sandboxes are reached with E2B's token only.";
  return [
    await checkAccount(client),
    { name: "template", ok: true, detail: `Sandboxes are made from ${template}, ${from}.` },
    { name: "isolation", ok: true, detail: "Each sandbox is a virtual machine of its own at E2B." },
    { name: "access", ok: !publicTraffic, detail: access },
    { name: "end", ok: onTimeout === "pause", detail: endOf(settings) },
  ];
}

/** The first page of a label that nobody has. */
async function checkAccount(client: E2bClient): Promise<ProviderCheck> {
  try {
    await client.list({ "sandbox-agent.check": "none" }).next();
    return { name: "account", ok: true, detail: "E2B takes the API key." };
  } catch (error) {
    return { name: "account", ok: false, detail: (error as Error).message };
  }
}

function endOf({ onTimeout, suspend }: E2bSettings): string {
  if (onTimeout === "kill")
    return "A sandbox whose time is up is lost with all that is in it. Set onTimeout to pause to keep it.";
  return suspend === "memory"
    ? "A sandbox whose time is up is paused, and goes on where it was."
    : "A sandbox whose time is up is paused; its files are kept, what runs in it is not.";
}
