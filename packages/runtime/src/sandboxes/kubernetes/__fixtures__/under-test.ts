import { KubernetesService } from "../../../../../testing/src/providers/kubernetes/kubernetes-service.ts";
import { providerOfService } from "../../hosted/__fixtures__/provider-of-service.ts";
import { provider as description } from "../index.ts";

const external = ["@kubernetes/client-node"];

/** The provider with these settings, on a cluster of its own. */
export const underTest = async (settings: Readonly<Record<string, unknown>>) =>
  providerOfService({ description, service: await KubernetesService.start(), settings, external });
