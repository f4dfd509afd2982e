import type { ProviderCheck } from "../sandbox-provider.ts";
import type { Cluster } from "./cluster.ts";
import { apiVersionOf, sandboxClaims, sandboxes } from "./kube-object.ts";
import type { KubernetesSettings, Mode } from "./kubernetes-settings.ts";
import { isNear } from "./pod-ports.ts";
import { rulesFor } from "./role.ts";

type Checked = KubernetesSettings & { readonly mode: Mode };

/** What is so in the cluster, and what to do where it is not. */
export async function checkKubernetes(cluster: Cluster, settings: Checked): Promise<readonly ProviderCheck[]> {
  return [
    await looked("rights", () => checkRights(cluster, settings)),
    ...(settings.mode === "pod" ? [] : [await looked("agent-sandbox", () => checkResources(cluster, settings))]),
    { name: "reach", ok: true, detail: reachOf(settings) },
    isolationOf(settings),
    { name: "end", ok: true, detail: endOf(settings) },
  ];
}

async function looked(name: string, look: () => Promise<Omit<ProviderCheck, "name">>): Promise<ProviderCheck> {
  try {
    return { name, ...(await look()) };
  } catch (error) {
    return { name, ok: false, detail: (error as Error).message };
  }
}

async function checkRights(cluster: Cluster, { mode }: Checked) {
  const missing = await cluster.missing(rulesFor(mode));
  const where = `in the namespace ${await cluster.namespace()}`;
  if (missing.length === 0) return { ok: true, detail: `The account may do all that is needed ${where}.` };
  const detail = `The account may not ${missing.join(", ")} ${where}. Bind it to the Role of deploy/kubernetes/role.yaml.`;
  return { ok: false, detail };
}

async function checkResources(cluster: Cluster, { mode }: Checked) {
  const served = await cluster.served();
  const wanted = [sandboxes, ...(mode === "claim" ? [sandboxClaims] : [])].map(apiVersionOf);
  const missing = wanted.filter((version) => !served.includes(version));
  if (missing.length === 0) return { ok: true, detail: `The cluster has ${wanted.join(" and ")}.` };
  const detail = `The cluster does not have ${missing.join(" and ")}. Install agent-sandbox from 0.5 on, or set mode to pod.`;
  return { ok: false, detail };
}

function reachOf({ reach }: Checked): string {
  return isNear(reach, process.env)
    ? "Sandboxes are reached at their pods' addresses: the runtime has to be in the cluster."
    : "Sandboxes are reached through the API, by port-forward. Inside the cluster pod-ip is faster.";
}

function isolationOf({ runtimeClass, mode }: Checked): ProviderCheck {
  if (runtimeClass !== undefined)
    return { name: "isolation", ok: true, detail: `Pods run with the RuntimeClass ${runtimeClass}.` };
  const detail =
    mode === "claim"
      ? "Pods are as the warm pool's template says; have it name a RuntimeClass such as gvisor or kata."
      : "Pods are ordinary containers, which share their node's kernel. Set runtimeClass to gvisor or kata where the cluster has it.";
  return { name: "isolation", ok: false, detail };
}

function endOf({ mode, volume }: Checked): string {
  return mode === "sandbox" && volume === "claim"
    ? "A sandbox whose time is up is suspended: its volume stays, what runs in it does not."
    : "A sandbox whose time is up is lost with all that is in it; mode sandbox keeps its volume.";
}
