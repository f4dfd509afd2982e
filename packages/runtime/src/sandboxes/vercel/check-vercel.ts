import type { ProviderCheck } from "../sandbox-provider.ts";
import { tagOf } from "./tags.ts";
import type { VercelClient } from "./vercel-client.ts";
import type { VercelSettings } from "./vercel-settings.ts";

/** What is so at Vercel, and what to do where it is not. */
export async function checkVercel(client: VercelClient, settings: VercelSettings): Promise<readonly ProviderCheck[]> {
  const { image = "Vercel's own image", programs } = settings;
  const from =
    programs === "image" ? "which has the daemon and the agents" : "into which the daemon and the agents are brought";
  return [
    await checkAccount(client),
    { name: "image", ok: true, detail: `Sandboxes are made from ${image}, ${from}.` },
    { name: "isolation", ok: true, detail: "Each sandbox is a virtual machine of its own at Vercel." },
    {
      name: "access",
      ok: true,
      detail: "Who knows a sandbox's address reaches the daemon's port; the daemon lets in who has its token.",
    },
    {
      name: "end",
      ok: true,
      detail: "A sandbox whose time is up is stopped; its files are kept and billed, what runs in it is not kept.",
    },
  ];
}

/** The first page of a label that nobody has. */
async function checkAccount(client: VercelClient): Promise<ProviderCheck> {
  try {
    await client.list(tagOf({ key: "sandbox-agent-check", value: "none" })).next();
    return { name: "account", ok: true, detail: "Vercel takes the token." };
  } catch (error) {
    return { name: "account", ok: false, detail: (error as Error).message };
  }
}
