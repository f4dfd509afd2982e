import type { ProviderCheck } from "../sandbox-provider.ts";
import { listedTag } from "./labels.ts";
import type { ModalClient } from "./modal-client.ts";
import type { ModalSettings } from "./modal-settings.ts";

/** What is so at Modal, and what to do where it is not. */
export async function checkModal(client: ModalClient, settings: ModalSettings): Promise<readonly ProviderCheck[]> {
  const { image, programs, user, access, lifeMs, app } = settings;
  const from =
    programs === "image" ? "which has the daemon and the agents" : "into which the daemon and the agents are brought";
  const hours = Math.round(lifeMs / 36_000) / 100;
  return [
    await checkAccount(client, app),
    { name: "image", ok: true, detail: `Sandboxes are made from ${image}, ${from}.` },
    {
      name: "isolation",
      ok: user !== 0,
      detail: `Each sandbox is a container of its own under gVisor at Modal. ${
        user === 0
          ? "What runs in it is root there and may change the daemon's files. Set user to another number."
          : `What runs in it is user ${user}.`
      }`,
    },
    {
      name: "access",
      ok: access === "token",
      detail:
        access === "token"
          ? "Daemons are reached with Modal's connect tokens only."
          : "Daemons are reached by whoever knows their address; they let in who has their token. Set access to token for Modal's own.",
    },
    {
      name: "end",
      ok: false,
      detail: `A sandbox is lost ${hours} h after it was made, also in the middle of a turn; Modal cannot make its life longer.`,
    },
  ];
}

/** The first page of a label that nobody has. */
async function checkAccount(client: ModalClient, app: string): Promise<ProviderCheck> {
  try {
    await client.list(listedTag({ key: "sandbox-agent-check", value: "none" })).next();
    return { name: "account", ok: true, detail: `Modal takes the token; the app is ${app}.` };
  } catch (error) {
    return { name: "account", ok: false, detail: (error as Error).message };
  }
}
