import type { ProviderDescription } from "../registry.ts";
import { createKubernetesProvider } from "./kubernetes-provider.ts";
import { kubernetesSettings, readKubernetesSettings } from "./kubernetes-settings.ts";

export const provider: ProviderDescription = {
  name: "kubernetes",
  summary: "Pods of a cluster, or the Sandboxes of agent-sandbox, which keep their volume when they are suspended.",
  settings: kubernetesSettings,
  async create({ directory, settings }) {
    return createKubernetesProvider({ directory, ...readKubernetesSettings(settings) });
  },
};
