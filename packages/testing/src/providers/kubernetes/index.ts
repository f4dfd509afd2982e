import type { ProviderServiceDescription } from "../provider-service.ts";
import { type KubernetesOptions, KubernetesService } from "./kubernetes-service.ts";

export { lineOf, type PolicyRule } from "./permissions.ts";
export { type KubernetesOptions, KubernetesService };

export const service: ProviderServiceDescription = {
  name: "kubernetes",
  summary: "The API of a cluster, with agent-sandbox in it.",
  start: (options) => KubernetesService.start(options),
};
