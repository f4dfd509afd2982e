import type { ProviderCheck } from "../sandbox-provider.ts";
import type { DaytonaClient } from "./daytona-client.ts";
import type { DaytonaSettings } from "./daytona-settings.ts";

/** What is so at Daytona, and what to do where it is not. */
export async function checkDaytona(
  client: DaytonaClient,
  settings: DaytonaSettings,
): Promise<readonly ProviderCheck[]> {
  const { image = "Daytona's own snapshot", programs, lifeMs } = settings;
  const from =
    programs === "image" ? "which has the daemon and the agents" : "into which the daemon and the agents are brought";
  const end =
    lifeMs === 0
      ? "A sandbox that nobody uses is not stopped by Daytona, also when the runtime is gone. Set lifeMs to have it stopped."
      : "A sandbox that nobody uses is stopped by Daytona; its files are kept, what runs in it is not.";
  return [
    await checkAccount(client),
    { name: "image", ok: true, detail: `Sandboxes are made from ${image}, ${from}.` },
    { name: "isolation", ok: true, detail: "Each sandbox is a machine of its own at Daytona." },
    { name: "access", ok: true, detail: "Ports of sandboxes are reached with Daytona's token only." },
    { name: "end", ok: lifeMs > 0, detail: end },
  ];
}

/** All of a label that nobody has. */
async function checkAccount(client: DaytonaClient): Promise<ProviderCheck> {
  try {
    await client.list({ "sandbox-agent-check": "none" });
    return { name: "account", ok: true, detail: "Daytona takes the API key." };
  } catch (error) {
    return { name: "account", ok: false, detail: (error as Error).message };
  }
}
